// expect: stage=multiple verdict=pass rule=blocks_growth
// Eight elements a thread: the grid still grows with the input.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block
constexpr int EACH = 8;       // elements of a thread
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL_LANES = 0xffffffff;

// The sum over the 32 threads of a warp, in its first thread. All 32 must call it together.
__device__ static float warp_sum(float sum) {
    for (int s = WARP / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    return sum;
}

// The sum over the threads of a block, in its first thread. One barrier: warps sum themselves, the first one the
// sums of all.
__device__ static float block_sum(float sum) {
    __shared__ float warp_sums[WARPS];
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;

    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) sum = warp_sum(lane < WARPS ? warp_sums[lane] : 0.0f);
    return sum;
}

// Sums the whole of in, by all blocks of the grid together: block b leaves its share in sums[b].
__global__ void multiple(const float* in, std::size_t n, float* sums) {
    // In every step the grid covers one contiguous piece of the input: coalesced, whatever the number of blocks.
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    float sum = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) sum += in[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// Blocks that find no element leave a zero, and an n of 0 needs no case of its own.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    const std::size_t blocks = n / (THREADS * EACH) + 1;
    multiple<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, scratch);
    multiple<<<1, THREADS>>>(scratch, blocks, out);
}
