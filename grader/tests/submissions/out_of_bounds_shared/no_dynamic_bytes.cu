// stage: transpose/dynamic_tile
// says: out_of_bounds_shared
// extern __shared__, but the launch asks for no bytes.
#include <cuda_runtime.h>

__global__ void no_bytes(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y * 33 + threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];  // <--
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x * 33 + threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) no_bytes<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
