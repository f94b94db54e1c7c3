// Stage 3, register column: a warp walks down a strip of 32 columns; three rows of it are in registers, and neighbours
// in a row come from the neighbouring lanes.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WARP = 32;
constexpr int WARPS = 8;  // of a block
constexpr int ROWS = 16;  // that a thread computes, one below the other
constexpr unsigned ALL_LANES = 0xffffffff;

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void register_column(const float* in, float* out, int rows, int cols) {
    const int tile = blockIdx.x;
    const int across = (cols - 1) / WARP + 1;
    const int lane = threadIdx.x;
    const int x = tile % across * WARP + lane;
    const int first = (tile / across * WARPS + threadIdx.y) * ROWS;

    // Lanes without a column and rows below the matrix bring zeros: all lanes have to be there for the shuffles.
    float above = at(in, rows, cols, first - 1, x);
    float here = at(in, rows, cols, first, x);
    for (int y = first; y < first + ROWS; ++y) {
        const float below = at(in, rows, cols, y + 1, x);

        // The first and the last lane have a neighbour in another warp, which they read.
        float outside = 0.0f;
        if (lane == 0 || lane == WARP - 1) outside = at(in, rows, cols, y, lane == 0 ? x - 1 : x + 1);
        float left = __shfl_up_sync(ALL_LANES, here, 1);
        float right = __shfl_down_sync(ALL_LANES, here, 1);
        if (lane == 0) left = outside;
        if (lane == WARP - 1) right = outside;

        if (x < cols && y < rows)
            out[static_cast<std::size_t>(y) * cols + x] = left + right + above + below - 4.0f * here;
        here = below;
        above = here;
    }
}

// A block covers 32 columns and WARPS * ROWS rows. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WARP + 1) * ((rows - 1) / (WARPS * ROWS) + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    register_column<<<tiles_for(rows, cols), dim3(WARP, WARPS)>>>(in, out, rows, cols);
}
