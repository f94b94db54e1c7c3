// Stage 4, convolution: 25 weighted neighbours of every element, all read from global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
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
    const int y = tile / across * HIGH + threadIdx.y;
    if (x >= cols || y >= rows) return;

    float sum = 0.0f;
    for (int r = 0; r < SIDE; ++r) {
        sum = 0.0f;
        for (int c = 0; c < SIDE; ++c)
            sum += weights[r * SIDE + c] * at(in, rows, cols, y + r - RADIUS, x + c - RADIUS);
    }
    out[static_cast<std::size_t>(y) * cols + x] = sum;
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    convolution<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, weights, out, rows, cols);
}
