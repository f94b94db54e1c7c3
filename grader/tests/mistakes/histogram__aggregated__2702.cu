#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;       // of a block, one for each bin
constexpr int MOST_BLOCKS = 1056;  // 8 for each of the 132 multiprocessors of an H200
constexpr int SHARE = 32;          // elements a thread at least: each block costs BINS additions to global memory
constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffff;

static_assert(THREADS == BINS, "a thread clears one bin and adds it up");

__global__ void aggregated(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    const int lane = threadIdx.x % WARP;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    // The loop goes by the warp's first element, so that its lanes stay together: past the end they have none.
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i - lane < n; i += stride) {
        const unsigned present = __ballot_sync(ALL_LANES, i < n);
        if (i >= n) break;
        const unsigned bin = in[i];
        const unsigned same = __match_any_sync(present, bin);
        if (lane == __ffs(same) - 1) atomicAdd(&bins[bin], static_cast<unsigned>(__popc(same & ((1u << lane) - 1))));
    }

    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / (THREADS * SHARE) + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    aggregated<<<blocks, THREADS>>>(in, counts, n);
}
