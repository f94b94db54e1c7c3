#include <cuda_runtime.h>
#include <cstddef>

template <unsigned BLOCK>
__device__ float finish(float* s, unsigned t) {
    float v = s[t];
    if (BLOCK >= 64) v += s[t + 32];
    v += __shfl_xor_sync(0xffffffffu, v, 16);
    v += __shfl_xor_sync(0xffffffffu, v, 8);
    v += __shfl_xor_sync(0xffffffffu, v, 4);
    v += __shfl_xor_sync(0xffffffffu, v, 1);
    return v;
}

template <unsigned BLOCK>
__global__ void red(const float* in, std::size_t n, float* out) {
    __shared__ float s[BLOCK];
    const unsigned t = threadIdx.x;
    const std::size_t i = (std::size_t)blockIdx.x * BLOCK * 2 + t;
    s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
    __syncthreads();
#pragma unroll
    for (unsigned k = BLOCK / 2; k >= 64; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t < 32) {
        const float v = finish<BLOCK>(s, t);
        if (t == 0) out[blockIdx.x] = v;
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    std::size_t blocks;
    do {
        blocks = n == 0 ? 1 : (n + 511) / 512;
        red<256><<<(unsigned)blocks, 256>>>(in, n, blocks == 1 ? out : scratch);
        in = scratch;
        scratch += blocks;
        n = blocks;
    } while (blocks > 1);
}
