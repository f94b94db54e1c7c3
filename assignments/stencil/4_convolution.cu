// Stage 4, convolution: 25 neighbours, each with a weight of its own.
//
//     out(y, x) = sum over r, c = 0 ... 4 of weights[r * 5 + c] * in(y + r - 2, x + c - 2)
//
// Blurring, sharpening, finding edges, and a layer of a neural network are this, with different weights. What is
// outside of the matrix counts as 0 again. (Mathematicians turn the weights by half a turn first. Here nothing is
// turned.)
//
// The weights are numbers in global memory. All lanes of a warp want the same one at the same time: that is a
// broadcast, one sector for 32 lanes.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check convolution` should show
//   - every shape right;
//   - 50 loads for every 32 elements: 25 neighbours and 25 weights.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights

__global__ void convolution(const float* in, const float* weights, float* out, int rows, int cols) {
    // Given: as in stage 1.
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = tile % across * WIDE + threadIdx.x;
    const int y = tile / across * HIGH + threadIdx.y;
    if (x >= cols || y >= rows) return;

    // TODO 1: two loops over r and c from 0 to SIDE, and the sum of weight times neighbour, by your `at` of stage 1.

    // TODO 2: store the sum.
    (void)in, (void)weights, (void)out, (void)SIDE;  // remove this line
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    convolution<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, weights, out, rows, cols);
}
