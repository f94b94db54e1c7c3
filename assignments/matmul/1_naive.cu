// Stage 1, naive: one thread, one element of the product.
//
// c = a b. Element (y, x) of c is the sum of depth products: row y of a, from left to right, times column x of b, from
// top to bottom.
//
//                          b: depth x cols
//                                 x
//                          +------|------+
//                          |      |      |
//                          |      v      |
//                          +------|------+
//       a: rows x depth    c: rows x cols
//       +-------------+    +-------------+
//     y |------------>|    |      * (y, x)
//       +-------------+    +-------------+
//
// All matrices are stored row by row: element (y, p) of a is a[y * depth + p].
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check naive` should show
//   - every shape right;
//   - 5 sectors from memory for each step of a warp: 1 of a, which all lanes read, and 4 of b.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a warp is 32 columns of one row of c
constexpr int HIGH = 8;

__global__ void naive(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    // Given: the column and the row of this thread's element.
    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = block % across * WIDE + threadIdx.x;
    const int y = block / across * HIGH + threadIdx.y;
    if (x >= cols || y >= rows) return;

    float sum = 0.0f;

    // TODO 1: the loop over p, from 0 to depth: add element (y, p) of a times element (p, x) of b. The index of an
    // element in memory is a std::size_t: a large matrix has more elements than an int can count.

    // TODO 2: store the sum as element (y, x) of c.
    (void)a, (void)b, (void)c, (void)depth, (void)sum;  // remove this line
}

// Given. Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

// Without products, depth 0, every element is the sum of nothing: 0.
void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    naive<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(a, b, c, rows, cols, depth);
}
