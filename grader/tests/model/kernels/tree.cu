// Sums by a tree in shared memory. KIND 0: interleaved with a modulo that the compiler makes a mask, 1: strided index,
// 2: sequential, 3: first add during the load, 4: the last warp by shuffles, 5: as 0, with a modulo that is computed. One launch after another until one sum is left, or, with FIRST_PASS,
// the first launch only.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef KIND
#define KIND 2
#endif
#ifndef FIRST_PASS
#define FIRST_PASS 0
#endif
#ifndef EXTRA_BARRIERS
#define EXTRA_BARRIERS 0
#endif

constexpr int EACH = KIND == 3 || KIND == 4 ? 2 : 1;

__global__ void __launch_bounds__(THREADS) tree(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS * EACH + tid;
    float mine = i < n ? in[i] : 0.0f;
    if (EACH == 2) mine += i + THREADS < n ? in[i + THREADS] : 0.0f;
    partial[tid] = mine;
    __syncthreads();
#if KIND == 0
    for (int s = 1; s < THREADS; s *= 2) {
        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads();
    }
#elif KIND == 5
#pragma unroll 1
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (threadIdx.x % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads();
    }
#elif KIND == 1
    for (int s = 1; s < THREADS; s *= 2) {
        if (2 * s * tid < THREADS) partial[2 * s * tid] += partial[2 * s * tid + s];
        __syncthreads();
    }
#else
    for (int s = THREADS / 2; s > (KIND == 4 ? 32 : 0); s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
        for (int k = 0; k < EXTRA_BARRIERS; ++k) __syncthreads();
    }
#endif
#if KIND == 4
    if (tid < 32) {
        float sum = partial[tid] + (THREADS > 32 ? partial[tid + 32] : 0.0f);
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (tid == 0) sums[blockIdx.x] = sum;
    }
#else
    if (tid == 0) sums[blockIdx.x] = partial[0];
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = n == 0 ? 1 : (n - 1) / (THREADS * EACH) + 1;
        float* const sums = blocks == 1 ? out : scratch;
        tree<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1 || FIRST_PASS) return;
        in = sums;
        n = blocks;
        scratch += blocks;
    }
}
