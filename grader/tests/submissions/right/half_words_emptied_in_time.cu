// stage: histogram/open
// Two counters of 16 bits in a word, added to the counts each time before they can be full.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned pairs[128];
    if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
    __syncthreads();
    const std::size_t stride = gridDim.x * std::size_t(256);
    unsigned turns = 0;
    for (std::size_t first = blockIdx.x * std::size_t(256); first < n; first += stride) {
        const std::size_t i = first + threadIdx.x;
        if (i < n) atomicAdd(&pairs[in[i] / 2], in[i] % 2 == 0 ? 1u : 0x10000u);
        if (++turns % 250 != 0 && first + stride < n) continue;
        __syncthreads();
        const unsigned own = pairs[threadIdx.x / 2] >> threadIdx.x % 2 * 16 & 0xffff;
        if (own > 0) atomicAdd(&counts[threadIdx.x], own);
        __syncthreads();
        if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
        __syncthreads();
    }
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / 1024 + 1;
    count<<<wanted < 264 ? wanted : 264, 256>>>(in, counts, n);
}
