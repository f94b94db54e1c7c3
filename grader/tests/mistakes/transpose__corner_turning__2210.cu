// Stage 3, corner turning: both sides coalesced, by way of a tile in shared memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads; a warp is one row of it

__global__ void corner_turning(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    int x = tile_col * TILE + threadIdx.x;
    int y = tile_row * TILE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[static_cast<std::size_t>(y) * cols + x];

    // Outside the guard: a barrier has to be reached by every thread of the block.
    __syncthreads();

    // The tile changes places with its mirror image; inside it, the tile index is turned instead of the global one, so
    // that threadIdx.x walks along a row of the output too.
    if (x < rows && y < cols) out[static_cast<std::size_t>(y) * rows + x] = tile[threadIdx.x][threadIdx.y];
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, TILE);
    corner_turning<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
