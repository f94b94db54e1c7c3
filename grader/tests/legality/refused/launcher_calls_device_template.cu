// The same as a template.
#include <cuda_runtime.h>

template <int TILE>
__device__ int blocks(int n) {
    return (n + TILE - 1) / TILE;
}

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid(blocks<16>(cols), blocks<16>(rows));  // refused
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
