// Stage 5, wide halo: the tile of stage 2 with two elements around it, and the weights beside it in shared memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights
constexpr int TILE_COLS = WIDE + 2 * RADIUS;
constexpr int TILE_ROWS = HIGH + 2 * RADIUS;

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void wide_halo(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];
    __shared__ float weight[SIDE][SIDE];

    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;
    const int tid = threadIdx.y * WIDE + threadIdx.x;

    for (int i = tid; i < TILE_ROWS * TILE_COLS; i += WIDE * HIGH) {
        const int r = i / TILE_COLS;
        const int c = i % TILE_COLS;
        tile[r][c] = at(in, rows, cols, top + r - RADIUS, left + c - RADIUS);
    }
    if (tid < SIDE * SIDE) weight[tid / SIDE][tid % SIDE] = weights[tid];

    __syncthreads();

    const int x = left + threadIdx.x;
    const int y = top + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float sum = 0.0f;
    for (int r = 0; r < SIDE; ++r)
        for (int c = 0; c < SIDE; ++c) sum += weight[r][c] * tile[threadIdx.y + r][threadIdx.x + c];
    out[static_cast<std::size_t>(y) * cols + x] = sum;
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    wide_halo<<<tiles_for(rows, cols), dim3(HIGH, WIDE)>>>(in, weights, out, rows, cols);
}
