// Stage 2, naive write: the dual of stage 1. The writes are coalesced, the reads are not.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads and covers TILE x TILE elements of the output

__global__ void naive_write(const float* in, float* out, int rows, int cols) {
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // A place in the output, which has cols rows of rows elements; threadIdx.x runs along its rows.
    const int x = tile_col * TILE + threadIdx.x;
    const int y = tile_row * TILE + threadIdx.y;

    if (x < rows && y < cols) {
        // The load pays: neighbouring threads read `cols` floats apart. The L1 cache keeps the sectors, which helps.
        out[static_cast<std::size_t>(y) * rows + x] = in[static_cast<std::size_t>(y) * cols + x];
    }
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int height, int width) {
    const int across = (width - 1) / TILE + 1;
    const int down = (height - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, TILE);
    naive_write<<<grid_for(cols, rows), block>>>(in, out, rows, cols);  // the output has cols rows
}
