// expect: stage=interleaved verdict=pass rule=divergent_branches_per_warp
// Warps sum by shuffles and hardly ever diverge: this is not the tree of the stage.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block; a power of two
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL_LANES = 0xffffffff;

// The sum over the 32 threads of a warp, in its first thread. All 32 must call it together.
__device__ static float warp_sum(float sum) {
    for (int s = WARP / 2; s > 0; s /= 2) sum += __shfl_down_sync(ALL_LANES, sum, s);
    return sum;
}

// Sums THREADS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void shuffled(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[WARPS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid;

    float sum = warp_sum(i < n ? in[i] : 0.0f);
    if (tid % WARP == 0) partial[tid / WARP] = sum;
    __syncthreads();

    if (tid >= WARP) return;
    sum = warp_sum(tid < WARPS ? partial[tid] : 0.0f);
    if (tid == 0) sums[blockIdx.x] = sum;
}

// One block for every THREADS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / THREADS + 1; }

// Round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        shuffled<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
