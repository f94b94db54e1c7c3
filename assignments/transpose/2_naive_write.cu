// Stage 2, naive write: the dual of stage 1. Now the writes are coalesced, and the reads are not.
//
// The task: fill the three TODOs. Give neighbouring threads neighbouring elements of the *output*.
//
// When it is done, `./grader/warpgrade check naive_write` should show
//   - every shape right;
//   - stores: 4 sectors a request; loads: 32.
//
// Count the sectors and the two stages look equally bad. On an H200 this one is 2.5 times as fast: a sector that was
// read for one row stays in the L1 cache and serves the seven other floats in it a moment later, while a 4-byte write
// goes on to L2 by itself. On GPUs with less bandwidth for each multiprocessor the two may be equally fast.
// `./grader/warpgrade bench naive_read` and `... naive_write` put numbers on it.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads and covers TILE x TILE elements of the output

__global__ void naive_write(const float* in, float* out, int rows, int cols) {
    // The grid covers the output now, which has cols rows of rows elements. (Read that again: it trips everyone once.)
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 1: this thread's column x and row y in the *output*, from tile_col, tile_row and threadIdx.

    // TODO 2: if that is inside the output, store out(y, x) = in(x, y). How long is a row of out, how long one of in?
    (void)tile_col, (void)tile_row;  // remove this line
}

// Given: tiles that cover a matrix of `height` rows and `width` columns. Only x may have more than 65535 blocks, so the
// rows of tiles that do not fit in y are folded into z; the kernel unfolds them into tile_row.
static dim3 grid_for(int height, int width) {
    const int across = (width - 1) / TILE + 1;
    const int down = (height - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, TILE);

    // TODO 3: this grid covers the input. Make it cover the output.
    const dim3 grid = grid_for(rows, cols);

    naive_write<<<grid, block>>>(in, out, rows, cols);
}
