#include <cuda_runtime.h>

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    for (int c = 0; c < rows; c++) {
        out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    int threads = 256;
    int blocks = (rows + threads - 1) / threads;
    naive_read<<<blocks, threads>>>(in, out, rows, cols);
}
