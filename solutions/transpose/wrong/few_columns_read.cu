// expect: stage=naive_read verdict=pass rule=global_load_sectors_per_request
// A warp reads 4 elements from each of 8 rows: neither its loads nor its stores are whole rows.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 4;  // a warp covers 8 rows of 4 elements
constexpr int HIGH = 64;

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_col * WIDE + threadIdx.x;
    const int y = tile_row * HIGH + threadIdx.y;

    if (x < cols && y < rows) {
        out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
    }
}

// A grid may have 2147483647 blocks in x but only 65535 in y and in z: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int rows, int cols) {
    const int across = (cols - 1) / WIDE + 1;
    const int down = (rows - 1) / HIGH + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;  // CUDA refuses a grid of no blocks
    const dim3 block(WIDE, HIGH);
    naive_read<<<grid_for(rows, cols), block>>>(in, out, rows, cols);
}
