// Each block adds up a piece of its own, without a gap, UNROLL loads at a time; a second launch adds up the sums.
// CAREFUL: what each addition loses is kept and added again. OWN: each thread has a piece without a gap.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif
#ifndef UNROLL
#define UNROLL 4
#endif
#ifndef CAREFUL
#define CAREFUL 0
#endif
#ifndef OWN
#define OWN 0
#endif

constexpr int STEPS_AT_ONCE = UNROLL;

__global__ void __launch_bounds__(THREADS) piece(const float* in, std::size_t n, float* sums) {
    const std::size_t size = ((n - 1) / gridDim.x / THREADS + 1) * THREADS, begin = blockIdx.x * size;
    const std::size_t end = begin + size < n ? begin + size : n;
    float sum = 0.0f, lost = 0.0f;
#if OWN
    const std::size_t each = size / THREADS, mine = begin + threadIdx.x * each;
    for (std::size_t i = mine; i < mine + each && i < end; ++i) sum += in[i];
#else
#pragma unroll STEPS_AT_ONCE
    for (std::size_t i = begin + threadIdx.x; i < end; i += THREADS) {
#if CAREFUL
        const float term = in[i] - lost, next = sum + term;
        lost = (next - sum) - term;
        sum = next;
#else
        sum += in[i];
#endif
    }
#endif
    sum -= lost;
    __shared__ float partial[THREADS];
    partial[threadIdx.x] = sum;
    for (int s = THREADS / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    if (n == 0) {
        cudaMemsetAsync(out, 0, sizeof(float), 0);
        return;
    }
    piece<<<BLOCKS, THREADS>>>(in, n, scratch);
    piece<<<1, THREADS>>>(scratch, BLOCKS, out);
}
