// expect: stage=open verdict=fault kind=misaligned line=49
// 16-byte loads, whatever the pointer is.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int WARP = 32;
constexpr int THREADS = 256;
constexpr int QUAD = 4;                    // elements in a uint4
constexpr int IN_FLIGHT = 4;               // uint4s a thread has under way
constexpr int STEP = THREADS * IN_FLIGHT;  // uint4s that a block loads at once, side by side
constexpr int WARPS_A_COPY = 2;
constexpr int COPIES = THREADS / (WARP * WARPS_A_COPY);  // of the bins in a block
constexpr int PITCH = BINS + 1;                          // equal bins of two copies are in different banks
constexpr int MOST_BLOCKS = 1056;                        // 8 for each of the 132 multiprocessors of an H200
constexpr int SHARE = 2;                                 // steps a block at least: each costs BINS additions

static_assert(THREADS == BINS, "a thread clears and adds up one bin of each copy");

__device__ static void count(unsigned* bins, uint4 quad) {
    atomicAdd(&bins[quad.x], 1u);
    atomicAdd(&bins[quad.y], 1u);
    atomicAdd(&bins[quad.z], 1u);
    atomicAdd(&bins[quad.w], 1u);
}

// Elements up to the first multiple of 16 bytes, whole uint4s, and at most three elements after them.
__global__ void __launch_bounds__(THREADS) many_copies(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned copies[COPIES * PITCH];
    for (int c = 0; c < COPIES; ++c) copies[c * PITCH + threadIdx.x] = 0;
    __syncthreads();

    unsigned* const bins = copies + threadIdx.x / (WARP * WARPS_A_COPY) * PITCH;
    const int head = 0;
    const int quads = (n - head) / QUAD;
    const int tail = head + quads * QUAD;
    const uint4* const body = reinterpret_cast<const uint4*>(in + head);

    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * STEP;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * STEP + threadIdx.x;
    for (; i + (IN_FLIGHT - 1) * THREADS < quads; i += stride) {
        uint4 loaded[IN_FLIGHT];
        for (int k = 0; k < IN_FLIGHT; ++k) loaded[k] = body[i + k * THREADS];
        for (int k = 0; k < IN_FLIGHT; ++k) count(bins, loaded[k]);
    }
    for (int k = 0; k < IN_FLIGHT; ++k)                                   // the last step may be cut short
        if (i + k * THREADS < quads) count(bins, body[i + k * THREADS]);  // <--

    // The first threads of the grid take one element of each end.
    const int thread = blockIdx.x * THREADS + threadIdx.x;
    if (thread < head) atomicAdd(&bins[in[thread]], 1u);
    if (thread < n - tail) atomicAdd(&bins[in[tail + thread]], 1u);

    __syncthreads();
    unsigned sum = 0;
    for (int c = 0; c < COPIES; ++c) sum += copies[c * PITCH + threadIdx.x];
    if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / (STEP * QUAD * SHARE) + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    many_copies<<<blocks, THREADS>>>(in, counts, n);
}
