// expect: stage=coarsening verdict=pass rule=global_load_sectors_over_ideal
// Several elements a thread, read by columns and without a tile: the loads of a warp are rows apart.

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int TILE = 32;
constexpr int ROWS = THREADS / TILE;  // rows of the tile that the block moves at once

static_assert(ROWS * TILE == THREADS && TILE % ROWS == 0, "THREADS: 32, 64, 128, 256, 512 or 1024");

__global__ void coarsened(const float* in, float* out, int rows, int cols) {
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_row * TILE + threadIdx.x;
    const int y = tile_col * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < rows && y + j < cols) {
            out[static_cast<std::size_t>(y + j) * rows + x] = in[static_cast<std::size_t>(x) * cols + y + j];
        }
    }
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
    const dim3 block(TILE, ROWS);
    coarsened<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
