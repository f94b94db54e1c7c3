// Stage 2, halo: a block reads what it needs once, and shares it.
//
// The 256 threads of a block need their own 32 x 8 elements, and one more on every side: the halo.
//
//          <--------- 34 --------->
//        . h h h h h h ... h h h h .        the corners are not needed here,
//        h +----------------------+ h       and read all the same: that is simpler
//        h |     32 x 8 elements  | h
//        h |     of the block     | h
//        h +----------------------+ h
//        . h h h h h h ... h h h h .
//
// 34 x 10 = 340 elements in shared memory, for 256 threads: some threads have to load two. Number the elements of the
// tile from 0 to 339; thread number tid takes tid, tid + 256, ...
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check halo` should show
//   - every shape right;
//   - less than half of the sectors that stage 1 loads from global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int HALO = 1;
constexpr int TILE_COLS = WIDE + 2 * HALO;
constexpr int TILE_ROWS = HIGH + 2 * HALO;

__global__ void halo(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    // Given: the first column and the first row of the block's own elements.
    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;

    // TODO 1: the loop over the elements of the tile. i / TILE_COLS and i % TILE_COLS are row r and column c of the
    // tile; row r is row top + r - HALO of the matrix. Your `at` of stage 1 brings the zeros from outside.
    tile[threadIdx.y][threadIdx.x] = 0.0f;

    // TODO 2: wait for the whole block. All threads have to come here, also those without an element.

    // TODO 3: this thread's column x and row y in the matrix; if inside, the sum from the tile. The thread's own
    // element is at tile[threadIdx.y + HALO][threadIdx.x + HALO].
    (void)in, (void)out, (void)rows, (void)left, (void)top, (void)tile[0][0];  // remove this line
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    halo<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
