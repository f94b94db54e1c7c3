// stage: transpose/open
// A launch on a stream that need not be made; there is one order of things all the same.
#include <cuda_runtime.h>

__global__ void k(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n == 0) return;
    k<<<(n + 255) / 256, 256, 0, cudaStreamPerThread>>>(in, out, rows, cols);
}
