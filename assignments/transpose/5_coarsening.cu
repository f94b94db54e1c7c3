// Stage 5, coarsening: fewer threads, each with several elements of the tile.
//
// A thread of stage 4 loads one float and then waits for it, more than a thousand clock cycles when the memory is busy.
// What hides that wait is bytes in flight: either many more threads, or more loads from each. A tile of 32 x 32 moved
// by 32 x 8 threads gives every thread 4 loads that do not depend on each other, and the GPU issues all four before it
// waits for the first. Indices and guards are paid once instead of four times, too.
//
// THREADS is how many threads a block has. The grader also compiles this file with -DTHREADS=64, 512 and 1024, and
// `./grader/warpgrade bench coarsening` plots what that does: more elements a thread against more threads in flight. So
// nothing below may assume 256.
//
// The task: fill the three TODOs, from your kernel of stage 4.
//
// When it is done, `./grader/warpgrade check coarsening` should show
//   - every shape right, also with rows and columns that are no multiple of 32;
//   - 4 sectors a request both ways, 1 wavefront a request both ways, as in stage 4;
//   - 4 elements a thread.
// On an H200 this step doubles the bandwidth.

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int TILE = 32;
constexpr int ROWS = THREADS / TILE;  // rows of the tile that the block moves at once: 8 for 256 threads

static_assert(ROWS * TILE == THREADS && TILE % ROWS == 0, "THREADS: 32, 64, 128, 256, 512 or 1024");

__global__ void coarsened(const float* in, float* out, int rows, int cols) {
    // The padded tile of stage 4:  __shared__ float tile[TILE][TILE + 1];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 1: load. x as before; y is the row of this thread's *first* element. Loop j from 0 to TILE in steps of ROWS:
    // the element j rows further down goes j rows further down in the tile. Each of them needs its own guard: the first
    // row may be inside the matrix and the fourth outside.

    // TODO 2: wait once, then store with the same loop. Where does j go in the index of the tile now, and where in out?
    (void)tile_col, (void)tile_row;  // remove this line
}

// Given: one block a tile, as before.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 grid = grid_for(rows, cols);

    // TODO 3: launch `coarsened` with blocks of THREADS threads. How wide is the block, and how high?
    (void)in, (void)out, (void)grid;  // remove this line
}
