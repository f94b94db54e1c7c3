// expect: stage=halo verdict=pass rule=global_load_sectors
// The tile is filled, but the neighbours are read from global memory.

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

    // More elements than threads: some take two. Row r, column c of the tile is r - HALO, c - HALO from its corner.
    for (int i = threadIdx.y * WIDE + threadIdx.x; i < TILE_ROWS * TILE_COLS; i += WIDE * HIGH) {
        const int r = i / TILE_COLS;
        const int c = i % TILE_COLS;
        tile[r][c] = at(in, rows, cols, top + r - HALO, left + c - HALO);
    }

    __syncthreads();

    const int x = left + threadIdx.x;
    const int y = top + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const int r = threadIdx.y + HALO;
    const int c = threadIdx.x + HALO;
    const float beside = at(in, rows, cols, y, x - 1) + at(in, rows, cols, y, x + 1);
    const float above_and_below = at(in, rows, cols, y - 1, x) + at(in, rows, cols, y + 1, x);
    out[static_cast<std::size_t>(y) * cols + x] = beside + above_and_below - 4.0f * tile[r][c];
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    halo<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(in, out, rows, cols);
}
