// Stage 1, five points: every thread gathers what its element needs.
//
// In a stencil each element of the output is made of the same element of the input and of its neighbours. Here:
//
//                  above
//            left  here  right          out = above + below + left + right - 4 * here
//                  below
//
// An element outside of the matrix counts as 0. (This is the Laplace operator: where nothing changes from place to
// place, it is 0. Simulations of heat, waves and flow take most of their time in it.)
//
// Every element of the input is wanted five times. How often it is really fetched from memory is what this assignment
// is about; in this stage simply read it five times.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check five_points` should show
//   - every shape right, also a single element, a single row and a single column;
//   - 5 loads for every 32 elements, each of 4 or 5 sectors. A row of 32 floats is 4 sectors; moved by one element to
//     the left or to the right, it touches a fifth.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    // TODO 1: 0 where y or x is outside, on any of the four sides; the element y * cols + x elsewhere, with the index
    // in std::size_t.
    (void)in, (void)rows, (void)cols, (void)y, (void)x;  // remove this line
    return 0.0f;
}

__global__ void five_points(const float* in, float* out, int rows, int cols) {
    // Given: which tile this block has, and this thread's column and row.
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = tile % across * WIDE + threadIdx.x;
    const int y = tile / across * HIGH + threadIdx.y;
    if (x >= cols || y >= rows) return;

    // TODO 2: the element and its four neighbours by `at`, and their sum to out.
    (void)in, (void)out, (void)at;  // remove this line
}

// Given: tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    five_points<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
