// stage: transpose/naive_write
// A block of 32 x 2 x 4 threads on a grid of three dimensions.
#include <cuda_runtime.h>

__global__ void gather(const float* in, float* out, int rows, int cols) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int i = block * 256 + thread;
    if (i < rows * cols) out[i] = in[i % rows * cols + i / rows];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int blocks = (rows * cols + 255) / 256;
    if (blocks != 0) gather<<<dim3((blocks + 5) / 6, 3, 2), dim3(32, 2, 4)>>>(in, out, rows, cols);
}
