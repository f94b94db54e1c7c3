// stage: transpose/open
// Warps that have nothing to do return before the barrier: since Volta a barrier waits for those that have not exited.
#include <cuda_runtime.h>

__global__ void few_warps(const float* in, float* out, int rows, int cols) {
    if (threadIdx.y >= 8) return;
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) few_warps<<<tiles, dim3(32, 10)>>>(in, out, rows, cols);
}
