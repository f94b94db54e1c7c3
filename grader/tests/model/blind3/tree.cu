// A tree in shared memory after FIRST elements a thread have been added; INTERLEAVED: neighbours first.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef FIRST
#define FIRST 2
#endif
#ifndef INTERLEAVED
#define INTERLEAVED 0
#endif

__global__ void tree(const float* in, float* sums, std::size_t n) {
    __shared__ float held[THREADS];
    const unsigned tid = threadIdx.x;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS * FIRST + tid;
    float sum = 0.0f;
    for (int k = 0; k < FIRST; ++k) {
        if (i < n) sum += in[i];
        i += THREADS;
    }
    held[tid] = sum;
    __syncthreads();
#if INTERLEAVED
    for (unsigned s = 1; s < THREADS; s <<= 1) {
        const unsigned at = 2 * s * tid;
        if (at < THREADS) held[at] += held[at + s];
        __syncthreads();
    }
#else
    for (unsigned s = THREADS / 2; s != 0; s >>= 1) {
        if (tid < s) held[tid] += held[tid + s];
        __syncthreads();
    }
#endif
    if (tid == 0) sums[blockIdx.x] = held[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    constexpr std::size_t work = THREADS * FIRST;
    while (n > work) {
        const std::size_t blocks = (n + work - 1) / work;
        tree<<<static_cast<unsigned>(blocks), THREADS>>>(in, scratch, n);
        in = scratch;
        scratch += blocks;
        n = blocks;
    }
    tree<<<1, THREADS>>>(in, out, n);
}
