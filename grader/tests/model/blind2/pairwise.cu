// Each thread adds up 8 neighbours in pairs, by a function that is called, not inlined; a block by shuffles, and the
// sums of the blocks the same way.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256, EACH = 8;

__device__ __noinline__ float eight(const float* at, std::size_t left) {
    float v[EACH];
    for (int k = 0; k < EACH; ++k) v[k] = k < left ? at[k] : 0.0f;
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

__device__ __noinline__ float of_warp(float sum) {
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

__global__ void __launch_bounds__(THREADS) in_pairs(const float* in, std::size_t n, float* sums) {
    __shared__ float of_warps[THREADS / 32];
    const std::size_t i = (static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x) * EACH;
    float sum = i < n ? eight(in + i, n - i) : 0.0f;
    sum = of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = of_warp(threadIdx.x < THREADS / 32 ? of_warps[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    std::size_t blocks = 0;
    do {
        blocks = n == 0 ? 1 : (n - 1) / (THREADS * EACH) + 1;
        in_pairs<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, blocks == 1 ? out : scratch);
        in = scratch;
        n = blocks;
        scratch += blocks;
    } while (blocks > 1);
}
