#include <cuda_runtime.h>

#include <cstddef>

const int BLOCK = 256;

__global__ void first_add(const float* in, std::size_t n, float* sums) {
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * (2 * BLOCK) * 2 + t;
    float mine = 0;
    if (i < n) mine += in[i];
    if (i + BLOCK < n) mine += in[i + BLOCK];
    s[t] = mine;
    __syncthreads();
    for (int d = BLOCK / 2; d >= 1; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = s[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    std::size_t blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    if (blocks <= 1) {
        first_add<<<1, BLOCK>>>(in, n, out);
        return;
    }
    first_add<<<(unsigned)blocks, BLOCK>>>(in, n, scratch);
    reduce(scratch, blocks, scratch + blocks, out);
}
