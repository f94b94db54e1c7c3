// stage: histogram/open
// says: wrong_output
// Two counters of 16 bits in a word, in so few blocks and with so much work for each element that a whole block of the
// largest shape is more than is run.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned pairs[128];
    if (threadIdx.x < 128) pairs[threadIdx.x] = 0;
    __syncthreads();
    for (std::size_t i = blockIdx.x * std::size_t(THREADS) + threadIdx.x; i < n; i += gridDim.x * std::size_t(THREADS)) {
        unsigned bin = 0;
        for (unsigned bit = 128; bit > 0; bit /= 2)
            if (in[i] >= bin + bit) bin += bit;
        atomicAdd(&pairs[bin % 128], bin < 128 ? 1u : 0x10000u);  // <--
    }
    __syncthreads();
    const unsigned own = pairs[threadIdx.x % 128] >> threadIdx.x / 128 * 16 & 0xffff;
    if (own > 0) atomicAdd(&counts[threadIdx.x], own);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    count<<<96, THREADS>>>(in, counts, n);
}
