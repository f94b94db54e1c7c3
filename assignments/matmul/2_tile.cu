// Stage 2, tile: what a block has loaded once serves 16 sums.
//
// The 16 x 16 elements of c that a block computes need 16 rows of a and 16 columns of b. Each of these elements serves
// 16 sums, and stage 1 loads it for each of them. Here the block takes a tile of each at a time, along depth:
//
//                                  b: 16 columns
//                                  +----+
//                                  | t0 |
//                                  +----+
//                                  | t1 |
//                                  +----+
//                                  | .. |
//       a: 16 rows                 +----+
//       +----+----+----+           +----+
//       | t0 | t1 | .. |           |    |  c: sum += tile of a * tile of b, for t0, t1, ...
//       +----+----+----+           +----+
//
// For each pair of tiles: every thread loads one element of a and one of b into shared memory; the block waits; every
// thread adds 16 products, all from shared memory; the block waits again.
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check tile` should show
//   - every shape right, also those that are no multiple of 16;
//   - a tenth of the sectors that stage 1 loads from global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 16;

// Given: the element of a matrix at row y, column x; 0 outside of it, where it adds nothing to a sum.
__device__ static float at(const float* m, int rows, int cols, int y, int x) {
    if (y >= rows || x >= cols) return 0.0f;
    return m[static_cast<std::size_t>(y) * cols + x];
}

__global__ void tiled(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    __shared__ __align__(16) float a_tile[TILE][TILE];  // then one load brings four neighbours of a row
    __shared__ float b_tile[TILE][TILE];

    // Given: the column and the row of this thread's element of c. It may be outside: the thread has to load all the
    // same.
    const int block = blockIdx.x;
    const int across = (cols - 1) / TILE + 1;
    const int x = block % across * TILE + threadIdx.x;
    const int y = block / across * TILE + threadIdx.y;

    float sum = 0.0f;
    for (int first = 0; first < depth; first += TILE) {
        // TODO 1: one element of each tile. The columns of this tile of a, and the rows of this tile of b, begin at
        // `first`. `at` takes care of what is outside.
        a_tile[threadIdx.y][threadIdx.x] = 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = 0.0f;

        // TODO 2: wait; add the products of row threadIdx.y of a_tile and column threadIdx.x of b_tile; wait again.
        // What could happen without the second barrier?
        sum += a_tile[threadIdx.y][threadIdx.x] * b_tile[threadIdx.y][threadIdx.x];
    }

    // TODO 3: if the element is inside of c, store its sum.
    (void)at(a, 0, 0, 0, 0), (void)b, (void)c, (void)x, (void)y, (void)rows, (void)cols, (void)sum;  // remove this line
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / TILE + 1) * ((rows - 1) / TILE + 1); }

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    tiled<<<tiles_for(rows, cols), dim3(TILE, TILE)>>>(a, b, c, rows, cols, depth);
}
