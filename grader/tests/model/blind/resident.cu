// As many blocks as fit, each takes one tile after the other; AHEAD: the next tile is under way while this one is written.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif
#ifndef AHEAD
#define AHEAD 1
#endif

constexpr int TILE = 32, ROWS = THREADS / TILE, STEPS = TILE / ROWS;

__device__ __forceinline__ void load(float (&kept)[STEPS], const float* in, int rows, int cols, int tile, int across) {
    const int x = tile % across * TILE + threadIdx.x % TILE, y = tile / across * TILE + threadIdx.x / TILE;
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
        kept[k] = x < cols && y + k * ROWS < rows ? in[static_cast<std::size_t>(y + k * ROWS) * cols + x] : 0.0f;
}

__global__ void __launch_bounds__(THREADS) resident(const float* in, float* out, int rows, int cols, int across, int tiles) {
    __shared__ float buffer[TILE][TILE + 1];
    const int lane = threadIdx.x % TILE, row = threadIdx.x / TILE;
    float kept[STEPS];
    if (AHEAD) load(kept, in, rows, cols, blockIdx.x, across);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        if (!AHEAD) load(kept, in, rows, cols, tile, across);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < STEPS; ++k) buffer[row + k * ROWS][lane] = kept[k];
        __syncthreads();
        if (AHEAD && tile + gridDim.x < tiles) load(kept, in, rows, cols, tile + gridDim.x, across);
        const int x = tile / across * TILE + lane, y = tile % across * TILE + row;
#pragma unroll
        for (int k = 0; k < STEPS; ++k)
            if (x < rows && y + k * ROWS < cols) out[static_cast<std::size_t>(y + k * ROWS) * rows + x] = buffer[lane][row + k * ROWS];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / TILE + 1, tiles = across * ((rows - 1) / TILE + 1);
    resident<<<tiles < BLOCKS ? tiles : BLOCKS, THREADS>>>(in, out, rows, cols, across, tiles);
}
