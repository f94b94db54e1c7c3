// Stage 2, privatised: every block counts in bins of its own, in shared memory, and adds them to the others' at its
// end.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;       // of a block, one for each bin
constexpr int MOST_BLOCKS = 1056;  // 8 for each of the 132 multiprocessors of an H200
constexpr int SHARE = 32;          // elements a thread at least: each block costs BINS additions to global memory

static_assert(THREADS == BINS, "a thread clears one bin and adds it up");

__global__ void privatised(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[in[i]], 1u);

    __syncthreads();
    atomicExch(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / (THREADS * SHARE) + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    privatised<<<blocks, THREADS>>>(in, counts, n);
}
