// Stage 3, register_tile: each thread computes 4 x 4 elements, and every word from shared memory serves four of them.
//
// In stage 2 a thread loads two words from shared memory for each product: the loads are what it spends its time on. A
// thread with 4 rows and 4 columns of c loads 4 words of a and 4 words of b, and makes 16 products of them:
//
//                    b_part[0] b_part[1] b_part[2] b_part[3]
//        a_part[0]    sum[0][0] sum[0][1] sum[0][2] sum[0][3]
//        a_part[1]    sum[1][0] ...
//        a_part[2]
//        a_part[3]                                  sum[3][3]        all in registers
//
// The block of 16 x 16 threads computes 64 x 64 elements of c. The rows of a thread are 16 apart, and so are its
// columns: then neighbouring threads have neighbouring columns, as before.
//
//        row of c:     top  + threadIdx.y + i * SIDE        i = 0 ... 3
//        column of c:  left + threadIdx.x + j * SIDE        j = 0 ... 3
//
// A step along depth has 16 products: a_tile has 64 rows of 16, b_tile has 16 rows of 64. Both have 1024 elements, four
// for each of the 256 threads.
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check register_tile` should show
//   - every shape right;
//   - half a load from shared memory for each product, where stage 2 has more than one.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 16;           // threads of a block, in x and in y
constexpr int EACH = 4;            // rows and columns of c for a thread
constexpr int TILE = SIDE * EACH;  // rows and columns of c for a block
constexpr int STEP = 16;           // products in one step along depth

// Given: as in stage 2.
__device__ static float at(const float* m, int rows, int cols, int y, int x) {
    if (y >= rows || x >= cols) return 0.0f;
    return m[static_cast<std::size_t>(y) * cols + x];
}

__global__ void register_tile(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    __shared__ float a_tile[TILE][STEP];
    __shared__ float b_tile[STEP][TILE];

    // Given: the first column and the first row of the block's elements, and the number of the thread.
    const int block = blockIdx.x;
    const int across = (cols - 1) / TILE + 1;
    const int left = block % across * TILE;
    const int top = block / across * TILE;
    const int tid = threadIdx.y * SIDE + threadIdx.x;

    float sum[EACH][EACH] = {};
    for (int first = 0; first < depth; first += STEP) {
        // TODO 1: fill both tiles. Element i of a_tile is in its row i / STEP and column i % STEP; of b_tile it is in
        // row i / TILE and column i % TILE. Thread tid takes i = tid, tid + 256, ...
        a_tile[tid / STEP][tid % STEP] = at(a, rows, depth, rows, depth);
        b_tile[tid / TILE][tid % TILE] = at(b, depth, cols, depth, cols);
        __syncthreads();

        // TODO 2: for every p from 0 to STEP: four words of column p of a_tile into a_part, four words of row p of
        // b_tile into b_part, and sixteen products into sum.
        sum[0][0] += a_tile[threadIdx.y][0] * b_tile[0][threadIdx.x];
        __syncthreads();
    }

    // TODO 3: store the sixteen sums, those that are inside of c.
    (void)c, (void)left, (void)top, (void)sum[0][0];  // remove this line
}

// Given: as in stage 1.
static int tiles_for(int rows, int cols) { return ((cols - 1) / TILE + 1) * ((rows - 1) / TILE + 1); }

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    register_tile<<<tiles_for(rows, cols), dim3(SIDE, SIDE)>>>(a, b, c, rows, cols, depth);
}
