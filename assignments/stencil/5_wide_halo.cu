// Stage 5, wide halo: the tile of stage 2, with two elements around it, for the convolution.
//
// 25 neighbours overlap more than 5 do: the 36 x 12 elements of the tile are read once and used 25 times. The 25
// weights go into shared memory, too: the first 25 threads of the block bring one each.
//
// The task: fill the three TODOs, from your kernels of stage 2 and stage 4.
//
// When it is done, `./grader/warpgrade check wide_halo` should show
//   - every shape right;
//   - some 2 loads from global memory for every 32 elements, in place of 50;
//   - 50 loads from shared memory in their place, 1 wavefront each. Lanes that want the same word get it together.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights
constexpr int TILE_COLS = WIDE + 2 * RADIUS;
constexpr int TILE_ROWS = HIGH + 2 * RADIUS;

__global__ void wide_halo(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];
    __shared__ float weight[SIDE][SIDE];

    // Given: the first column and the first row of the block's own elements, and the number of this thread.
    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;
    const int tid = threadIdx.y * WIDE + threadIdx.x;

    // TODO 1: fill the tile as in stage 2, RADIUS in place of HALO.
    tile[threadIdx.y][threadIdx.x] = 0.0f;

    // TODO 2: the threads below 25 bring one weight each. Then all wait.
    weight[tid % SIDE][tid % SIDE] = 0.0f;

    // TODO 3: this thread's sum over the 25 weights, from tile and weight, and its store if it is inside of the matrix.
    (void)in, (void)weights, (void)out, (void)rows, (void)left, (void)top;  // remove this line
    (void)tile[0][0], (void)weight[0][0];                                   // and this
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    wide_halo<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, weights, out, rows, cols);
}
