// Sums by shuffles, or by a tree with TREE, after loads of a VECTOR: each block EACH of them a thread from a part of its
// own, or, with GRID, BLOCKS blocks that walk over the input side by side. AT_END: what becomes of a block's sum: 0, one more
// launch of one block adds them; 1, nothing; 2, one atomic addition.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef VECTOR
#define VECTOR float
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef GRID
#define GRID 0
#endif
#ifndef BLOCKS
#define BLOCKS 1024
#endif
#ifndef TREE
#define TREE 0
#endif
#ifndef SHARED_SUMS
#define SHARED_SUMS 0  // 1: a thread adds up in shared memory, not in a register
#endif
#ifndef AT_END
#define AT_END 1
#endif

__device__ static float add_up(float v) { return v; }
__device__ static float add_up(float4 v) { return v.x + v.y + v.z + v.w; }

__global__ void add_all(const float* in, unsigned n, float* sums) {
    __shared__ float partial[THREADS];
    const VECTOR* const body = reinterpret_cast<const VECTOR*>(in);
    const unsigned count = n / (sizeof(VECTOR) / 4), tid = threadIdx.x;
    float sum = 0.0f;
#if GRID
    for (unsigned i = blockIdx.x * blockDim.x + tid; i < count; i += gridDim.x * blockDim.x) sum += add_up(body[i]);
#elif EACH == 1
    const unsigned i = blockIdx.x * blockDim.x + tid;
    if (i < count) sum = add_up(body[i]);
#else
    const unsigned first = blockIdx.x * (THREADS * EACH) + tid;
#if SHARED_SUMS
    partial[tid] = 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; ++k) partial[tid] += body[first + k * THREADS];
    sum = partial[tid];
#else
#pragma unroll
    for (int k = 0; k < EACH; ++k) sum += add_up(body[first + k * THREADS]);
#endif
#endif
#if TREE
    partial[tid] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > (TREE == 2 ? 32 : 0); s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
#if TREE == 2
    if (tid < 32) {
        volatile float* const slots = partial;
        for (int s = 32; s > 0; s /= 2) slots[tid] = slots[tid] + slots[tid + s];
    }
#endif
    sum = partial[0];
#else
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (tid % 32 == 0) partial[tid / 32] = sum;
    __syncthreads();
    sum = tid < THREADS / 32 ? partial[tid] : 0.0f;
    if (tid < 32)
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
#endif
#if AT_END == 2
    if (tid == 0) atomicAdd(sums, sum);
#else
    if (tid == 0) sums[blockIdx.x] = sum;
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    const std::size_t each_block = std::size_t{THREADS} * EACH * (sizeof(VECTOR) / 4);
    const unsigned blocks = GRID ? BLOCKS : static_cast<unsigned>((n - 1) / each_block + 1);
    add_all<<<blocks, THREADS>>>(in, static_cast<unsigned>(n), AT_END == 2 ? out : scratch);
#if GRID && AT_END == 0
    add_all<<<1, THREADS>>>(scratch, blocks, out);
#endif
}
