// stage: transpose/padding
// Shared memory handed to functions that are not inlined: the accesses go through generic addresses.
#include <cuda_runtime.h>

struct Tile {
    float* cells;
    __device__ __noinline__ void put(int y, int x, float value) { cells[y * 33 + x] = value; }
    __device__ __noinline__ float get(int y, int x) const { return cells[y * 33 + x]; }
};

__global__ void through_functions(const float* in, float* out, int rows, int cols) {
    __shared__ float cells[32 * 33];
    Tile tile{cells};
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile.put(threadIdx.y, threadIdx.x, in[(top + threadIdx.y) * cols + left + threadIdx.x]);
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile.get(threadIdx.x, threadIdx.y);
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) through_functions<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
