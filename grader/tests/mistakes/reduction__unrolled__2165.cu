#include <cuda_runtime.h>

#include <cstddef>

const int BLOCK = 256;

__global__ void unrolled(const float* in, std::size_t n, float* sums) {
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * (2 * BLOCK) + t;
    float mine = 0;
    if (i < n) mine += in[i];
    if (i + BLOCK < n) mine += in[i + BLOCK];
    s[t] = mine;
    __syncthreads();
    for (int d = BLOCK / 2; d > 32; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    std::size_t blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    if (blocks <= 1) {
        unrolled<<<1, BLOCK>>>(in, n, out);
        return;
    }
    unrolled<<<(unsigned)blocks, BLOCK>>>(in, n, scratch);
    reduce(scratch, blocks, scratch + blocks, out);
}
