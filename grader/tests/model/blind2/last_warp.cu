// The tree whose last warp works on a volatile pointer, with a __syncwarp between its steps; unrolled by a template.
// BLOCKS 0: two elements a thread, one launch after the other; else so many blocks that go on by the grid, and a
// second.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 0
#endif

template <unsigned SIZE>
__device__ void finish_in_warp(volatile float* partial, unsigned tid) {
    float sum = partial[tid];
#pragma unroll
    for (unsigned s = 32; s > 0; s /= 2) {
        if (SIZE >= 2 * s) {
            sum += partial[tid + s];
            __syncwarp();
            partial[tid] = sum;
            __syncwarp();
        }
    }
}

template <unsigned SIZE>
__global__ void unrolled_tree(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[SIZE + 32];
    const unsigned tid = threadIdx.x;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * SIZE * 2;
    partial[tid] = 0.0f;
    if (tid < 32) partial[SIZE + tid] = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * SIZE * 2 + tid; i < n; i += step) {
        partial[tid] += in[i];
        if (i + SIZE < n) partial[tid] += in[i + SIZE];
    }
    __syncthreads();
    if (SIZE >= 512) {
        if (tid < 256) partial[tid] += partial[tid + 256];
        __syncthreads();
    }
    if (SIZE >= 256) {
        if (tid < 128) partial[tid] += partial[tid + 128];
        __syncthreads();
    }
    if (SIZE >= 128) {
        if (tid < 64) partial[tid] += partial[tid + 64];
        __syncthreads();
    }
    if (tid < 32) finish_in_warp<SIZE>(partial, tid);
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
#if BLOCKS
    unrolled_tree<THREADS><<<BLOCKS, THREADS>>>(in, n, scratch);
    unrolled_tree<THREADS><<<1, THREADS>>>(scratch, BLOCKS, out);
#else
    for (bool is_done = false; !is_done;) {
        const std::size_t blocks = n == 0 ? 1 : (n + 2 * THREADS - 1) / (2 * THREADS);
        is_done = blocks == 1;
        float* sums = is_done ? out : scratch;
        unrolled_tree<THREADS><<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        in = sums;
        n = blocks;
        scratch += blocks;
    }
#endif
}
