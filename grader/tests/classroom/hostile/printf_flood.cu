// stage: transpose/naive_read
// Right, but every thread of every shape prints a line.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
    if (i >= static_cast<size_t>(rows) * cols) return;
    printf("thread %d of block %d: all work and no play makes this kernel a dull one\n", threadIdx.x, blockIdx.x);
    out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const size_t blocks = (static_cast<size_t>(rows) * cols + 255) / 256;
    if (blocks != 0) naive<<<blocks, 256>>>(in, out, rows, cols);
}
