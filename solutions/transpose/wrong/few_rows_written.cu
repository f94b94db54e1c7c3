// expect: stage=naive_write verdict=pass rule=global_store_sectors_per_request
// A warp writes 4 elements to each of 8 rows: neither its loads nor its stores are whole rows.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 4;  // a warp covers 8 rows of 4 elements
constexpr int HIGH = 64;

__global__ void naive_write(const float* in, float* out, int rows, int cols) {
    const int tile_col = blockIdx.x;
    const int tile_row = blockIdx.z * gridDim.y + blockIdx.y;

    const int x = tile_col * WIDE + threadIdx.x;
    const int y = tile_row * HIGH + threadIdx.y;

    if (x < rows && y < cols) {
        out[static_cast<std::size_t>(y) * rows + x] = in[static_cast<std::size_t>(x) * cols + y];
    }
}

// Only x may have more than 65535 blocks: rows of tiles that do not fit in y fold into z.
static dim3 grid_for(int height, int width) {
    const int across = (width - 1) / WIDE + 1;
    const int down = (height - 1) / HIGH + 1;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(WIDE, HIGH);
    naive_write<<<grid_for(cols, rows), block>>>(in, out, rows, cols);  // the output has cols rows
}
