// expect: stage=five_points verdict=pass rule=global_load_requests
// A thread keeps its column in registers: an element is loaded three times, not five.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int ROWS = 4;  // that a thread computes, one below the other

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void five_points(const float* in, float* out, int rows, int cols) {
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = tile % across * WIDE + threadIdx.x;
    const int first = (tile / across * HIGH + threadIdx.y) * ROWS;
    if (x >= cols) return;

    float above = at(in, rows, cols, first - 1, x);
    float here = at(in, rows, cols, first, x);
    for (int y = first; y < first + ROWS && y < rows; ++y) {
        const float below = at(in, rows, cols, y + 1, x);
        const float beside = at(in, rows, cols, y, x - 1) + at(in, rows, cols, y, x + 1);
        out[static_cast<std::size_t>(y) * cols + x] = beside + above + below - 4.0f * here;
        above = here;
        here = below;
    }
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / (HIGH * ROWS) + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    five_points<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
