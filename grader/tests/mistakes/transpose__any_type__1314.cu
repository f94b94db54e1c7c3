// Stage 7, any type: one template for elements of 1, 2, 4, 8 and 16 bytes.

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
    extern __shared__ unsigned char raw[];
    T* tile = reinterpret_cast<T*>(raw);

    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    int x = tile_col * TILE + threadIdx.x;
    int y = tile_row * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) {
            tile[(threadIdx.y + j) * (TILE + PADDING<T>) + threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];
        }
    }

    __syncthreads();

    x = tile_row * TILE + threadIdx.x;
    y = tile_col * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < rows && y + j < cols) {
            out[static_cast<std::size_t>(y + j) * rows + x] = tile[threadIdx.x * (TILE + PADDING<T>) + threadIdx.y + j];
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
    transpose_tile<<<grid_for(rows, cols), block, sizeof(float) * TILE * (TILE + PADDING<T>)>>>(in, out, rows, cols);
}
