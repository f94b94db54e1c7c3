// stage: transpose/corner_turning
// says: rule global_store_sectors_over_ideal
// A tile is filled and read for show; the element that is stored does not come from it.
#include <cuda_runtime.h>

__global__ void for_show(const float* in, float* out, int rows, int cols) {
    __shared__ volatile float tile[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = 1.0f;
    __syncthreads();
    if (i < rows * cols && tile[255 - threadIdx.x] == 1.0f) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) for_show<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
