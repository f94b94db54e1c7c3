// stage: reduction/open
// Launch after launch until one number is left, to and fro between two halves of scratch.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void shrink(const float* from, size_t n, float* to) {
    __shared__ float part[8];
    const size_t base = blockIdx.x * 1024ull + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (base + 256 * k < n) sum += from[base + 256 * k];
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) sum += part[w];
        to[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    const size_t half = n / 1024 + 1;
    float* halves[2] = {scratch, scratch + half};
    const float* from = in;
    int turn = 0;
    while (true) {
        const size_t blocks = n == 0 ? 1 : (n + 1023) / 1024;
        float* to = blocks == 1 ? out : halves[turn];
        shrink<<<static_cast<unsigned>(blocks), 256>>>(from, n, to);
        if (blocks == 1) return;
        from = to;
        n = blocks;
        turn ^= 1;
    }
}
