// Repaired: see assignments/repair/1_grid.cu.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * SIDE + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE + threadIdx.y;
    if (x < cols && y < rows) out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / SIDE + 1;
    const int folds = (down - 1) / 65535 + 1;
    naive<<<dim3((cols - 1) / SIDE + 1, (down - 1) / folds + 1, folds), dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
