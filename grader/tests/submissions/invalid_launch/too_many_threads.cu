// stage: transpose/naive_read
// says: invalid_launch
// 2048 threads a block.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) scatter<<<(n + 2047) / 2048, 2048>>>(in, out, rows, cols);  // <--
}
