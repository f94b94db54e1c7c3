// expect: stage=register_row verdict=pass rule=shared_load_requests
// Eight sums a thread, and each reads its rows from the tile again.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide
constexpr int WARPS = 4;
constexpr int ROWS = 8;  // that a thread computes
constexpr int HIGH = WARPS * ROWS;
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights
constexpr int TILE_COLS = WIDE + 2 * RADIUS;
constexpr int TILE_ROWS = HIGH + 2 * RADIUS;

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void register_row(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;

    for (int i = threadIdx.y * WIDE + threadIdx.x; i < TILE_ROWS * TILE_COLS; i += WIDE * WARPS) {
        const int r = i / TILE_COLS;
        const int c = i % TILE_COLS;
        tile[r][c] = at(in, rows, cols, top + r - RADIUS, left + c - RADIUS);
    }
    float weight[SIDE * SIDE];  // registers, as all indices below are known when the loops are unrolled
    for (int i = 0; i < SIDE * SIDE; ++i) weight[i] = weights[i];

    __syncthreads();

    const int x = left + threadIdx.x;
    const int first = threadIdx.y * ROWS;  // row of the block where this thread begins
    for (int k = 0; k < ROWS; ++k) {
        float sum = 0.0f;
        for (int r = 0; r < SIDE; ++r)
            for (int c = 0; c < SIDE; ++c) sum += weight[r * SIDE + c] * tile[first + k + r][threadIdx.x + c];
        const int y = top + first + k;
        if (x < cols && y < rows) out[static_cast<std::size_t>(y) * cols + x] = sum;
    }
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    register_row<<<tiles_for(rows, cols), dim3(WIDE, WARPS)>>>(in, weights, out, rows, cols);
}
