// float4 both ways through a 64 x 64 tile: PAD 1 scatters single words, SWIZZLE keeps quads whole.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef SWIZZLE
#define SWIZZLE 0
#endif

constexpr int TILE = 64, QUADS = TILE / 4, BANDS = THREADS / QUADS;

__global__ void __launch_bounds__(THREADS) quads(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + !SWIZZLE];
    const int lane = threadIdx.x % QUADS, band = threadIdx.x / QUADS;
    const int tile_col = blockIdx.x * TILE, tile_row = blockIdx.y * TILE;
#pragma unroll
    for (int row = band; row < TILE; row += BANDS) {
        if (tile_row + row < rows && tile_col + lane * 4 < cols) {
            const float4 v = *reinterpret_cast<const float4*>(in + static_cast<std::size_t>(tile_row + row) * cols + tile_col + lane * 4);
            const int at = SWIZZLE ? row ^ (lane % 8 * 4) : row;
            tile[lane * 4 + 0][at] = v.x;
            tile[lane * 4 + 1][at] = v.y;
            tile[lane * 4 + 2][at] = v.z;
            tile[lane * 4 + 3][at] = v.w;
        }
    }
    __syncthreads();
#pragma unroll
    for (int row = band; row < TILE; row += BANDS) {
        if (tile_col + row < cols && tile_row + lane * 4 < rows) {
            float4 v;
            const int at = SWIZZLE ? (lane * 4) ^ (row / 4 % 8 * 4) : lane * 4;
            v.x = tile[row][at + 0];
            v.y = tile[row][at + 1];
            v.z = tile[row][at + 2];
            v.w = tile[row][at + 3];
            *reinterpret_cast<float4*>(out + static_cast<std::size_t>(tile_col + row) * rows + tile_row + lane * 4) = v;
        }
    }
}

// For multiples of 4 only.
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    quads<<<dim3((cols - 1) / TILE + 1, (rows - 1) / TILE + 1), THREADS>>>(in, out, rows, cols);
}
