// stage: transpose/corner_turning
// says: invalid_launch
// A 64 x 64 block: each extent is fine, the product is not.
#include <cuda_runtime.h>

__global__ void large_block(const float* in, float* out, int rows, int cols) {
    const int y = blockIdx.y * 64 + threadIdx.y, x = blockIdx.x * 64 + threadIdx.x;
    if (y < rows && x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    large_block<<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(64, 64)>>>(in, out, rows, cols);  // <--
}
