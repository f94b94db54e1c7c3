#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < rows) {
        size_t row = idx / cols;
        size_t col = idx % cols;
        out[col * rows + row] = in[idx];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    size_t n = (size_t)rows * cols;
    naive<<<(unsigned)((n + 255) / 256), 256>>>(in, out, rows, cols);
}
