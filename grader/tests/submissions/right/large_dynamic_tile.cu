// stage: transpose/open
// 66 KB of dynamic shared memory, asked for with cudaFuncSetAttribute.
#include <cuda_runtime.h>

constexpr int TILE = 128, PITCH = TILE + 1;

__global__ void large_tile(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int across = (cols + TILE - 1) / TILE;
    const int left = blockIdx.x % across * TILE, top = blockIdx.x / across * TILE;
    const int wide = min(TILE, cols - left), high = min(TILE, rows - top);
    for (int y = threadIdx.y; y < high; y += blockDim.y)
        for (int x = threadIdx.x; x < wide; x += 32) tile[y * PITCH + x] = in[(top + y) * cols + left + x];
    __syncthreads();
    for (int y = threadIdx.y; y < wide; y += blockDim.y)
        for (int x = threadIdx.x; x < high; x += 32) out[(left + y) * rows + top + x] = tile[x * PITCH + y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + TILE - 1) / TILE) * ((cols + TILE - 1) / TILE);
    if (tiles == 0) return;
    const int bytes = TILE * PITCH * sizeof(float);
    cudaFuncSetAttribute(large_tile, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    large_tile<<<tiles, dim3(32, 16), bytes>>>(in, out, rows, cols);
}
