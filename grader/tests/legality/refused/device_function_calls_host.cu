// Two steps down.
#include <cuda_runtime.h>

int outer(int a, int b) { return a * b; }
__device__ int inner(int a, int b) { return outer(a, b); }  // refused

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[inner(x, rows) + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
