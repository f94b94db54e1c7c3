#include <cuda_runtime.h>
#include <cstddef>

const int TPB = 256;
const int PER_BLOCK = TPB * 2;

__device__ void warpReduce(volatile float *s, int t)
{
    float v = s[t] + s[t + 32];
    __syncwarp(0xffff);
    s[t] = v;
    __syncwarp(0xffff);
    for (int off = 16; off >= 1; off >>= 1) {
        v += s[t + off];
        __syncwarp(0xffff);
        s[t] = v;
        __syncwarp(0xffff);
    }
}

__global__ void blockReduce(const float *x, std::size_t len, float *y)
{
    __shared__ float s[TPB];
    int t = threadIdx.x;
    std::size_t k = (std::size_t)blockIdx.x * PER_BLOCK + t;
    float v = 0;
    if (k < len) v = x[k];
    if (k + TPB < len) v += x[k + TPB];
    s[t] = v;
    __syncthreads();
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) warpReduce(s, t);
    if (t == 0) y[blockIdx.x] = s[0];
}

void reduce(const float *in, std::size_t n, float *scratch, float *out)
{
    std::size_t blocks = n ? (n + PER_BLOCK - 1) / PER_BLOCK : 1;
    while (blocks > 1) {
        blockReduce<<<(unsigned)blocks, TPB>>>(in, n, scratch);
        in = scratch;
        scratch += blocks;
        n = blocks;
        blocks = (n + PER_BLOCK - 1) / PER_BLOCK;
    }
    blockReduce<<<1, TPB>>>(in, n, out);
}
