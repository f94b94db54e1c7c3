#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y) {
        if (c < cols) {
            out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
        }
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    dim3 block(32, 8);
    int gy = (rows + 7) / 8;
    if (gy > 65535) gy = 65535;
    dim3 grid((cols + 31) / 32, gy);
    naive<<<grid, block>>>(in, out, rows, cols);
}
