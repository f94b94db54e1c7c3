// expect: stage=any_type verdict=pass rule=global_store_sectors_over_ideal
// Right for each type, and through a tile that is not turned: the stores of a warp are rows apart.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;
constexpr int ROWS = 8;  // rows of the tile that the block moves at once

// The padding is one bank, 4 bytes, and at least one element. 4 bytes: element (row, column) is in bank (row + column)
// % 32. 8 and 16 bytes: half or a quarter of the warp is served at a time, its rows start 2 or 4 banks apart, and so
// fill the 32 banks once. 1 and 2 bytes: a row takes 9 or 17 words, both odd, so the rows start in 32 different banks.
// (One element would not do for these two: rows would start inside a word, and some columns conflict.)
template <typename T>
constexpr int PADDING = sizeof(T) < 4 ? 4 / sizeof(T) : 1;

template <typename T>
__global__ void transpose_tile(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + PADDING<T>];

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_col * TILE + threadIdx.x;
    const int y = tile_row * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) {
            tile[threadIdx.y + j][threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];
        }
    }

    __syncthreads();

    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) {
            out[static_cast<std::size_t>(x) * rows + y + j] = tile[threadIdx.y + j][threadIdx.x];
        }
    }
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / TILE + 1;
    const int down = (rows - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, ROWS);
    transpose_tile<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
