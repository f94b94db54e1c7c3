#include <cuda_runtime.h>

#include <cstddef>

__global__ void naive_write(const float* in, float* out, int rows, int cols) {
    std::size_t n = static_cast<std::size_t>(rows) * cols;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        std::size_t r = i / rows;
        std::size_t c = i % rows;
        out[i] = in[c * cols + r];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    std::size_t n = static_cast<std::size_t>(rows) * cols;
    int blocks = (n + 255) / 256;
    if (blocks > 4096) blocks = 4096;
    naive_write<<<blocks, 256>>>(in, out, rows, cols);
}
