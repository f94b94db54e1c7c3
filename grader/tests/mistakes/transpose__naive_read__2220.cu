// Stage 1, naive read: one thread moves one element; the reads are coalesced, the writes are not.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads and covers TILE x TILE elements of the input

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // threadIdx.x runs through a warp, so it belongs to x: 32 threads read 128 bytes in a row.
    const int x = tile_col * TILE + threadIdx.x;
    const int y = tile_row * TILE + threadIdx.y;

    if (x < cols && y < rows) {
        // The store pays for it: neighbouring threads write `rows` floats apart, one 32-byte sector for each.
        out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
    }
}

// A grid may have 2147483647 blocks in x but only 65535 in y and in z: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;  // CUDA refuses a grid of no blocks
    const dim3 block(TILE, 8);
    naive_read<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
