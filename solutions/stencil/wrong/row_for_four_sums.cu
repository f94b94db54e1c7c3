// expect: stage=convolution verdict=pass rule=global_load_requests
// A row of five is loaded once, and added to all sums of a thread that it belongs to.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int ROWS = 4;  // that a thread computes, one below the other
constexpr int RADIUS = 2;
constexpr int SIDE = 2 * RADIUS + 1;  // of the square of weights

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void convolution(const float* in, const float* weights, float* out, int rows, int cols) {
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = tile % across * WIDE + threadIdx.x;
    const int first = (tile / across * HIGH + threadIdx.y) * ROWS;
    if (x >= cols) return;

    float weight[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) weight[i] = weights[i];
    float sum[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS + 2 * RADIUS; ++r) {
        float row[SIDE];
        for (int c = 0; c < SIDE; ++c) row[c] = at(in, rows, cols, first + r - RADIUS, x + c - RADIUS);
#pragma unroll
        for (int k = 0; k < ROWS; ++k) {
            if (r - k < 0 || r - k >= SIDE) continue;
            for (int c = 0; c < SIDE; ++c) sum[k] += weight[(r - k) * SIDE + c] * row[c];
        }
    }
#pragma unroll
    for (int k = 0; k < ROWS; ++k)
        if (first + k < rows) out[static_cast<std::size_t>(first + k) * cols + x] = sum[k];
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / (HIGH * ROWS) + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    convolution<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, weights, out, rows, cols);
}
