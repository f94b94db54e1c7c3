// Warm-up 3, two dimensions: a block that is 32 threads wide and 8 high, laid on a matrix.
//
// blockIdx and threadIdx have an x and a y. Laid on a matrix, x is the column and y the row; the element at row y,
// column x of a matrix with `cols` columns is in[y * cols + x], as in C.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check two_dimensions` should show every shape right, and
// `./grader/warpgrade explain two_dimensions` 4 sectors a request. Then set HIGH to 32, so that the block is square,
// exchange threadIdx.x and threadIdx.y, and look again: still right, and 8 times as many sectors. Stage 1 of the transpose
// is about that.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;
constexpr int HIGH = 8;

__global__ void two_dimensions(const float* in, float* out, int rows, int cols) {
    // Given: which band of 8 rows this block covers. (A grid has at most 65535 blocks in y; the rest is in z.)
    const int band = blockIdx.z * gridDim.y + blockIdx.y;

    // TODO 1: this thread's column x, from blockIdx.x, WIDE and threadIdx.x, and its row y, from band, HIGH and
    // threadIdx.y.

    // TODO 2: if x and y are both inside of the matrix, copy that element. The index is computed in 64 bits:
    // static_cast<std::size_t>(y) * cols + x.
    const int x = blockIdx.x + threadIdx.x;
    const int y = band + threadIdx.y;
    if (x < cols && y < rows) out[static_cast<std::size_t>(y) * cols + x] = in[static_cast<std::size_t>(y) * cols + x];
}

// Given: blocks enough to cover the matrix, rounded up both ways.
void copy(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / HIGH + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / WIDE + 1, (bands - 1) / layers + 1, layers);
    two_dimensions<<<grid, dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
