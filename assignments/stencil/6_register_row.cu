// Stage 6, register row: a thread reads a row of the tile once, and uses it for all elements that want it.
//
// Stage 5 has taken the load off global memory and put it on shared memory: 50 loads for 25 multiplications. Give a
// thread ROWS elements below each other. Row r of the tile is then wanted by up to five of them:
//
//     sum[0] wants rows 0 1 2 3 4          row 4 of the tile is row 4 of the weights for sum[0],
//     sum[1] wants rows   1 2 3 4 5                             row 3 of the weights for sum[1],
//     sum[2] wants rows     2 3 4 5 6                           row 2 of the weights for sum[2] ...
//
// So turn the loops round: outermost the rows of the tile. Read 5 elements of a row into registers, and add them to
// every sum k for which r - k is a row of the weights. 12 rows of 5 elements for 8 sums: 7.5 loads an element, in place
// of 25.
//
// An array is in registers only where every index is known when the program is compiled. That is so if the loops are
// unrolled: write `#pragma unroll` before the loops over r and over k. The weights are read once a thread, into
// registers as well.
//
// The task: fill the four TODOs.
//
// When it is done, `./grader/warpgrade check register_row` should show
//   - every shape right;
//   - 8 elements a thread, and a fifth or less of the loads from shared memory that stage 5 makes.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide
constexpr int WARPS = 4;
constexpr int ROWS = 8;  // that a thread computes
constexpr int HIGH = WARPS * ROWS;
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights
constexpr int TILE_COLS = WIDE + 2 * RADIUS;
constexpr int TILE_ROWS = HIGH + 2 * RADIUS;

__global__ void register_row(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    // Given: the first column and the first row of the block's own elements.
    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;

    // TODO 1: fill the tile as in stage 5. The block has WIDE * WARPS threads.
    tile[threadIdx.y][threadIdx.x] = 0.0f;

    // TODO 2: float weight[SIDE * SIDE], read from weights. Then all wait.

    // TODO 3: float sum[ROWS] = {}, and the loops. This thread's first row in the tile is threadIdx.y * ROWS.

    // TODO 4: store the sums that are inside of the matrix.
    (void)in, (void)weights, (void)out, (void)rows, (void)left, (void)top, (void)SIDE, (void)tile[0][0];  // remove this line
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    register_row<<<tiles_for(rows, cols), dim3(WIDE, WARPS)>>>(in, weights, out, rows, cols);
}
