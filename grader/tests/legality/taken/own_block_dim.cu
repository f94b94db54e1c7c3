// A launcher may call its own variables as CUDA calls those of kernels.
#include <cuda_runtime.h>

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int warpSize = 32;
    const dim3 blockDim(warpSize, 16);
    const dim3 gridDim((cols + blockDim.x - 1) / blockDim.x, (rows + blockDim.y - 1) / blockDim.y);
    copy_turned<<<gridDim, blockDim>>>(in, out, rows, cols);
}
