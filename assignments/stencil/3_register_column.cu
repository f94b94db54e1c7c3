// Stage 3, register column: no shared memory, no barrier, and every element is loaded about once.
//
// A warp walks down a strip of 32 columns, ROWS rows. A thread keeps three elements of its column in registers and
// moves on by one row at a time: what was below becomes here, what was here becomes above, and only one element is new.
//
//        above   <- here of the row before
//        here    <- below of the row before
//        below   <- loaded now
//
// The left neighbour is the `here` of the lane before, the right neighbour that of the lane after:
// __shfl_up_sync(ALL_LANES, here, 1) and __shfl_down_sync(ALL_LANES, here, 1). All 32 lanes have to reach these calls,
// also those without a column. Lane 0 has nobody before it and lane 31 nobody after it: they read that element.
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check register_column` should show
//   - every shape right;
//   - 16 elements a thread, and fewer sectors than in stage 2.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int WARPS = 8;  // of a block
constexpr int ROWS = 16;  // that a thread computes, one below the other
constexpr unsigned ALL_LANES = 0xffffffff;

__global__ void register_column(const float* in, float* out, int rows, int cols) {
    // Given: this thread's column, and its first row.
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WARP + 1;
    const int lane = threadIdx.x;
    const int x = tile % across * WARP + lane;
    const int first = (tile / across * WARPS + threadIdx.y) * ROWS;

    // TODO 1: `above` and `here` of the first row, by your `at` of stage 1. No return for threads outside: they bring
    // zeros, and take part in the shuffles.

    // TODO 2: a loop over the ROWS rows from `first` on: load `below`, get `left` and `right` from the neighbouring
    // lanes, and for lanes 0 and 31 from memory.

    // TODO 3: in the loop, store the sum if x and y are inside of the matrix, and move on: above = here, here = below.
    (void)in, (void)out, (void)rows, (void)x, (void)first, (void)ALL_LANES;  // remove this line
}

// Given: a block covers 32 columns and WARPS * ROWS rows.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WARP + 1) * ((rows - 1) / (WARPS * ROWS) + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    register_column<<<tiles_for(rows, cols), dim3(WARP, WARPS)>>>(in, out, rows, cols);
}
