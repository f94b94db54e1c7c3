// expect: stage=register_tile verdict=wrong kind=wrong_output pattern=lines_exchanged
// The rows of a are read one below the other, and the sums stored SIDE rows apart.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 16;           // threads of a block, in x and in y
constexpr int EACH = 4;            // rows and columns of c for a thread
constexpr int TILE = SIDE * EACH;  // rows and columns of c for a block
constexpr int STEP = 16;           // products in one step along depth

// The element of a matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* m, int rows, int cols, int y, int x) {
    if (y >= rows || x >= cols) return 0.0f;
    return m[static_cast<std::size_t>(y) * cols + x];
}

__global__ void register_tile(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    __shared__ float a_tile[TILE][STEP];
    __shared__ float b_tile[STEP][TILE];

    const int block = blockIdx.x;
    const int across = (cols - 1) / TILE + 1;
    const int left = block % across * TILE;
    const int top = block / across * TILE;
    const int tid = threadIdx.y * SIDE + threadIdx.x;

    float sum[EACH][EACH] = {};
    for (int first = 0; first < depth; first += STEP) {
        for (int i = tid; i < TILE * STEP; i += SIDE * SIDE) {
            a_tile[i / STEP][i % STEP] = at(a, rows, depth, top + i / STEP, first + i % STEP);
            b_tile[i / TILE][i % TILE] = at(b, depth, cols, first + i / TILE, left + i % TILE);
        }
        __syncthreads();

        for (int p = 0; p < STEP; ++p) {
            // The thread's rows and columns are SIDE apart: neighbouring threads read neighbouring words.
            float a_part[EACH], b_part[EACH];
            for (int i = 0; i < EACH; ++i) a_part[i] = a_tile[threadIdx.y * EACH + i][p];
            for (int j = 0; j < EACH; ++j) b_part[j] = b_tile[p][threadIdx.x + j * SIDE];
            for (int i = 0; i < EACH; ++i)
                for (int j = 0; j < EACH; ++j) sum[i][j] += a_part[i] * b_part[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < EACH; ++i)
        for (int j = 0; j < EACH; ++j) {
            const int y = top + threadIdx.y + i * SIDE;
            const int x = left + threadIdx.x + j * SIDE;
            if (y < rows && x < cols) c[static_cast<std::size_t>(y) * cols + x] = sum[i][j];
        }
}

static int tiles_for(int rows, int cols) { return ((cols - 1) / TILE + 1) * ((rows - 1) / TILE + 1); }

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    register_tile<<<tiles_for(rows, cols), dim3(SIDE, SIDE)>>>(a, b, c, rows, cols, depth);
}
