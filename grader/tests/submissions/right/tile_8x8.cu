// stage: transpose/open
// Small tiles: 8 x 8 threads, so that a warp covers four rows of the tile.
#include <cuda_runtime.h>

constexpr int TILE = 8;

__global__ void small_tiles(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int across = (cols + TILE - 1) / TILE;
    const int tile_col = blockIdx.x % across, tile_row = blockIdx.x / across;
    int x = tile_col * TILE + threadIdx.x, y = tile_row * TILE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = tile_row * TILE + threadIdx.x;
    y = tile_col * TILE + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + TILE - 1) / TILE) * ((cols + TILE - 1) / TILE);
    if (tiles != 0) small_tiles<<<tiles, dim3(TILE, TILE)>>>(in, out, rows, cols);
}
