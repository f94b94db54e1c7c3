#include <cuda_runtime.h>

#define BLOCK_SIZE 256

__global__ void reduceKernel(const float* g_in, size_t n, float* g_out) {
    __shared__ float sdata[BLOCK_SIZE];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_in[i] : 0.0f;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] = fmaxf(sdata[tid], sdata[tid + s]);
        }
        __syncthreads();
    }

    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    size_t blocks = n == 0 ? 1 : (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    const float* src = in;
    while (blocks > 1) {
        reduceKernel<<<(unsigned)blocks, BLOCK_SIZE>>>(src, n, scratch);
        src = scratch;
        scratch += blocks;
        n = blocks;
        blocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    }
    reduceKernel<<<1, BLOCK_SIZE>>>(src, n, out);
}
