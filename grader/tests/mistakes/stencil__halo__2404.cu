// Stage 2, halo: a block reads its tile and one element around it once, and finds all neighbours in shared memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a block is 32 threads wide, a warp one row of it
constexpr int HIGH = 8;
constexpr int HALO = 1;
constexpr int TILE_COLS = WIDE + 2 * HALO;
constexpr int TILE_ROWS = HIGH + 2 * HALO;

// The element of the matrix at row y, column x; 0 outside of it.
__device__ static float at(const float* in, int rows, int cols, int y, int x) {
    if (y < 0 || y >= rows || x < 0 || x >= cols) return 0.0f;
    return in[static_cast<std::size_t>(y) * cols + x];
}

__global__ void halo(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE_ROWS][TILE_COLS];

    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int left = block % across * WIDE;
    const int top = block / across * HIGH;

    const int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty + 1][tx + 1] = at(in, rows, cols, top + ty, left + tx);
    if (tx == 0) tile[ty + 1][0] = at(in, rows, cols, top + ty, left - 1);
    if (tx == WIDE - 1) tile[ty + 1][TILE_COLS] = at(in, rows, cols, top + ty, left + WIDE);
    if (ty == 0) tile[0][tx + 1] = at(in, rows, cols, top - 1, left + tx);
    if (ty == HIGH - 1) tile[HIGH + 1][tx + 1] = at(in, rows, cols, top + HIGH, left + tx);

    __syncthreads();

    const int x = left + threadIdx.x;
    const int y = top + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const int r = threadIdx.y + HALO;
    const int c = threadIdx.x + HALO;
    const float beside = tile[r][c - 1] + tile[r][c + 1];
    const float above_and_below = tile[r - 1][c] + tile[r + 1][c];
    out[static_cast<std::size_t>(y) * cols + x] = beside + above_and_below - 4.0f * tile[r][c];
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    halo<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
