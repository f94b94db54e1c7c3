#include <cuda_runtime.h>
#include <cstddef>

__global__ void gemm(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    const int per_row = (cols + 31) / 32;
    const int j = (blockIdx.x % per_row) * 32 + threadIdx.x;
    const int i = (blockIdx.x / per_row) * 8 + threadIdx.y;
    if (i < rows && j < cols) {
        auto sum = 0;
        for (int k = 0; k < depth; k++) sum += a[(size_t)i * depth + k] * b[(size_t)k * cols + j];
        c[(size_t)i * cols + j] = sum;
    }
}

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    gemm<<<((cols + 31) / 32) * ((rows + 7) / 8), dim3(32, 8)>>>(a, b, c, rows, cols, depth);
}
