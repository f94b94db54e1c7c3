// expect: stage=padding verdict=pass rule=global_load_sectors_over_ideal
// The input is read by columns. The tile exchanges rows of the output between warps, and needs no padding.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;    // a warp is one row of the tile
constexpr int PADDING = 1;  // element (row, column) is in bank (row * 33 + column) % 32 = (row + column) % 32:
                            // all different along a row, and along a column too

__global__ void padded(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PADDING];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_col * TILE + threadIdx.y;
    const int y = tile_row * TILE + threadIdx.x;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[static_cast<std::size_t>(y) * cols + x];

    __syncthreads();

    const int row = TILE - 1 - threadIdx.y;
    const int out_row = tile_col * TILE + row;
    if (out_row < cols && y < rows) out[static_cast<std::size_t>(out_row) * rows + y] = tile[row][threadIdx.x];
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, TILE);
    padded<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
