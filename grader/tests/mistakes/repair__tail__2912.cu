#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;
constexpr int ELEMENTS = 2 * THREADS;  // that a block sums

__global__ void sum_block(const float* in, std::size_t n, float* sums) {
    __shared__ float part[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    if (i >= n) *part = 0.0f;
    if (i < n) {
        part[tid] = in[i];
        if (i + THREADS < n) part[tid] += in[i + THREADS];
    }
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / ELEMENTS + 1; }

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        sum_block<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;
    }
}
