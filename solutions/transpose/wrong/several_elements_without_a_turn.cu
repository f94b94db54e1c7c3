// expect: stage=coarsening verdict=pass rule=global_store_sectors_over_ideal
// Several elements a thread, and no tile that is turned: the stores of a warp are rows apart.

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int TILE = 32;
constexpr int ROWS = THREADS / TILE;  // rows of the tile that the block moves at once

static_assert(ROWS * TILE == THREADS && TILE % ROWS == 0, "THREADS: 32, 64, 128, 256, 512 or 1024");

__global__ void coarsened(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_col * TILE + threadIdx.x;
    const int y = tile_row * TILE + threadIdx.y;
    // The bounds of the loop are constants: the compiler unrolls it and issues all loads before the first store.
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) {
            tile[threadIdx.y + j][threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];
        }
    }

    __syncthreads();

    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) {
            out[static_cast<std::size_t>(x) * rows + y + j] = tile[threadIdx.y + j][threadIdx.x];
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
