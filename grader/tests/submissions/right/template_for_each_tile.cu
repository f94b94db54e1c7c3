// stage: transpose/open
// Three instances of a kernel with a tile of its own size each. Together they are above 48 KiB, none alone is.
#include <cuda_runtime.h>

template <int Rows, int Cols>
__global__ void tile_of(const float* in, float* out, int rows, int cols, int down) {
    __shared__ float tile[Rows][Cols + 1];
    const int y0 = blockIdx.x % down * Rows;
    const int x0 = blockIdx.x / down * Cols;
    for (int i = threadIdx.x; i < Rows * Cols; i += blockDim.x) {
        const int y = i / Cols, x = i % Cols;
        if (y0 + y < rows && x0 + x < cols) tile[y][x] = in[static_cast<size_t>(y0 + y) * cols + x0 + x];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < Rows * Cols; i += blockDim.x) {
        const int x = i / Rows, y = i % Rows;
        if (y0 + y < rows && x0 + x < cols) out[static_cast<size_t>(x0 + x) * rows + y0 + y] = tile[y][x];
    }
}

template <int Rows, int Cols>
static void launch(const float* in, float* out, int rows, int cols) {
    const int down = (rows + Rows - 1) / Rows;
    tile_of<Rows, Cols><<<down * ((cols + Cols - 1) / Cols), 256>>>(in, out, rows, cols, down);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (rows > 2 * cols) {
        launch<128, 64>(in, out, rows, cols);
    } else if (cols > 2 * rows) {
        launch<64, 128>(in, out, rows, cols);
    } else {
        launch<64, 64>(in, out, rows, cols);
    }
}
