// Stage 4, padding: one more column in the tile removes the bank conflicts of stage 3.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;    // a warp is one row of the tile
constexpr int PADDING = 1;  // element (row, column) is in bank (row * 33 + column) % 32 = (row + column) % 32:
                            // all different along a row, and along a column too

__global__ void padded(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PADDING];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    int x = tile_col * TILE + threadIdx.x;
    int y = tile_row * TILE + threadIdx.y;
    if (x < cols && y < rows) (&tile[0][0])[threadIdx.y * TILE + threadIdx.x] = in[static_cast<std::size_t>(y) * cols + x];

    __syncthreads();

    x = tile_row * TILE + threadIdx.x;
    y = tile_col * TILE + threadIdx.y;
    if (x < rows && y < cols) out[static_cast<std::size_t>(y) * rows + x] = tile[threadIdx.x][threadIdx.y];
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
