// stage: transpose/naive_read
// says: out_of_bounds_shared
// A stencil: the first thread has nobody on its left.
#include <cuda_runtime.h>

__global__ void stencil(const float* in, float* out, int rows, int cols) {
    __shared__ float line[256];
    const int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
    line[tid] = i < rows * cols ? in[i] : 0.0f;
    __syncthreads();
    const float left = line[tid - 1];  // <--
    if (i < rows * cols) out[i % cols * rows + i / cols] = left < -1e30f ? left : line[tid];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int blocks = (rows * cols + 255) / 256;
    if (blocks != 0) stencil<<<blocks, 256>>>(in, out, rows, cols);
}
