// stage: histogram/open
// says: wrong_output
// Two counters of 16 bits in a word: right until a block meets one value 65536 times.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned pairs[128];
    if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
    __syncthreads();
    for (std::size_t i = blockIdx.x * std::size_t(256) + threadIdx.x; i < n; i += gridDim.x * std::size_t(256))
        atomicAdd(&pairs[in[i] / 2], in[i] % 2 == 0 ? 1u : 0x10000u);  // <--
    __syncthreads();
    const unsigned own = pairs[threadIdx.x / 2] >> threadIdx.x % 2 * 16 & 0xffff;
    if (own > 0) atomicAdd(&counts[threadIdx.x], own);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / 1024 + 1;
    count<<<wanted < 264 ? wanted : 264, 256>>>(in, counts, n);
}
