// Stage 3, corner turning: both sides coalesced, by way of shared memory.
//
// A block reads a tile of TILE x TILE elements row by row into shared memory, waits for all of its threads, and writes
// the tile column by column to the output. The corner is turned in shared memory, which has no sectors to waste.
//
//        input                  shared                  output
//     +---+---+---+                                  +---+---+
//     |   |   |   |          rows in  ->             |   |   |
//     +---+---+---+           +---+                  +---+---+
//     |   |   | T |  ------>  | T |  ------>         |   |   |
//     +---+---+---+           +---+                  +---+---+
//                          columns out  |            |   | T'|
//                                       v            +---+---+
//
// Two things are exchanged, at two levels: the place of the *tile* in the matrix, and the place of the element *in the
// tile*. Forget one of them and the output looks almost right.
//
// The task: fill the four TODOs.
//
// When it is done, `./grader/warpgrade check corner_turning` should show
//   - every shape right;
//   - loads 4 and stores 4 sectors a request;
//   - shared memory: one of the two sides takes 32 wavefronts a request. That is a bank conflict, and it is allowed
//     here: stage 4 removes it. On an H200 it makes this kernel *slower* than stage 2. Not every step goes up.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;  // a block is TILE x TILE threads; a warp is one row of it

__global__ void corner_turning(const float* in, float* out, int rows, int cols) {
    // TODO 1: the tile, which all threads of the block share:  __shared__ float tile[TILE][TILE];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 2: load. This thread's x and y in the input as in stage 1; if inside, put in(y, x) in
    // tile[threadIdx.y][threadIdx.x].

    // TODO 3: wait, until every thread of the block has stored its element. *All* threads have to come here, also those
    // outside the matrix: so not inside the if, and no return before it.

    // TODO 4: store. The tile lands at tile row tile_col, tile column tile_row of the output. Compute this thread's
    // column and row there, threadIdx.x again along the row (out_x and out_y: x and y are taken), and write
    // out(out_y, out_x) if it is inside the *output*, which has cols rows of rows elements. Which element of the tile
    // belongs there?
    (void)tile_col, (void)tile_row;  // remove this line
}

// Given: as in stage 1.
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
