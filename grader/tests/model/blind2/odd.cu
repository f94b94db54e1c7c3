// Blocks whose threads are no power of two: halves are rounded up. SERIAL: the first thread adds up all the others'
// sums.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 96
#endif
#ifndef SERIAL
#define SERIAL 0
#endif

constexpr int EACH = 16;

__global__ void odd_blocks(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS * EACH + tid;
    float sum = 0.0f;
    for (int k = 0; k < EACH && i < n; ++k, i += THREADS) sum += in[i];
    partial[tid] = sum;
    __syncthreads();
#if SERIAL
    if (tid != 0) return;
    for (int t = 1; t < THREADS; ++t) sum += partial[t];
    sums[blockIdx.x] = sum;
#else
    for (int left = THREADS; left > 1; left = (left + 1) / 2) {
        const int half = (left + 1) / 2;
        if (tid + half < left) partial[tid] += partial[tid + half];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (n > THREADS * EACH) {
        const std::size_t blocks = (n - 1) / (THREADS * EACH) + 1;
        odd_blocks<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, scratch);
        in = scratch;
        n = blocks;
        scratch += blocks;
    }
    odd_blocks<<<1, THREADS>>>(in, n, out);
}
