// Sums by a tree in shared memory, written as the published ladders describe theirs: steps by blockDim, which the compiler
// cannot unroll. KIND 0: interleaved, a modulo picks the lanes; 1: strided; 2: sequential. EACH: loads of a thread before
// the tree, a block apart. LAST_WARP: the steps below 64 by one warp, through volatile shared memory. AT_END: what becomes
// of a block's sum: 0, the next launch adds those of all blocks; 1, nothing; 2, one atomic addition.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef KIND
#define KIND 2
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef LAST_WARP
#define LAST_WARP 0
#endif
#ifndef AT_END
#define AT_END 0
#endif
#ifndef UNROLLED
#define UNROLLED 0  // 1: the block's size is known to the compiler
#endif

#if UNROLLED
#define BLOCK THREADS
#else
#define BLOCK blockDim.x
#endif

__global__ void tree(const float* in, unsigned n, float* sums) {
    __shared__ float partial[THREADS];
    const unsigned tid = threadIdx.x;
    const unsigned first = blockIdx.x * BLOCK * EACH + tid;
    float mine = first < n ? in[first] : 0.0f;
#if EACH == 2
    mine += first + BLOCK < n ? in[first + BLOCK] : 0.0f;
#elif EACH > 2
    for (int k = 1; k < EACH; ++k)
        if (first + k * BLOCK < n) mine += in[first + k * BLOCK];
#endif
    partial[tid] = mine;
    __syncthreads();
#if KIND == 0
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads();
    }
#elif KIND == 1
    for (unsigned s = 1; s < BLOCK; s *= 2) {
        const unsigned own = 2 * s * tid;
        if (own < BLOCK) partial[own] += partial[own + s];
        __syncthreads();
    }
#else
    for (unsigned s = BLOCK / 2; s > (LAST_WARP ? 32 : 0); s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
#endif
#if LAST_WARP
    if (tid < 32) {
        volatile float* const slots = partial;
        for (int s = 32; s > 0; s /= 2) slots[tid] = slots[tid] + slots[tid + s];
    }
#endif
#if AT_END == 2
    if (tid == 0) atomicAdd(sums, partial[0]);
#else
    if (tid == 0) sums[blockIdx.x] = partial[0];
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = n == 0 ? 1 : (n - 1) / (THREADS * EACH) + 1;
        float* const sums = blocks == 1 || AT_END == 2 ? out : scratch;
        tree<<<static_cast<unsigned>(blocks), THREADS>>>(in, static_cast<unsigned>(n), sums);
        if (blocks == 1 || AT_END != 0) return;
        in = sums;
        n = blocks;
        scratch += blocks;
    }
}
