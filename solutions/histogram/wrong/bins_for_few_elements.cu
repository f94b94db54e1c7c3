// expect: stage=privatised verdict=pass rule=global_atomic_operations
// A block counts 256 elements in 256 bins, and adds all bins to global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block, one for each bin

static_assert(THREADS == BINS, "a thread clears one bin and adds it up");

__global__ void privatised(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1u);

    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    privatised<<<(n - 1) / THREADS + 1, THREADS>>>(in, counts, n);
}
