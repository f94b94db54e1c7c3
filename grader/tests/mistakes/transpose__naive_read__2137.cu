#include <cuda_runtime.h>

#include <cstddef>

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    const int band = blockIdx.z * gridDim.y + blockIdx.y;
    const int x = blockIdx.x * blockDim.y + threadIdx.x;
    const int y = band * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(32, 8);
    const int across = (cols + block.x - 1) / block.x;
    const int down = (rows + block.y - 1) / block.y;
    const int folds = (down - 1) / 65535 + 1;
    const dim3 grid(across, (down - 1) / folds + 1, folds);
    naive_read<<<grid, block>>>(in, out, rows, cols);
}
