// Repair 6: the last warp finishes by shuffles, and somebody has saved half of its lanes.
//
// TODO 1: this kernel was found in a program. The sum is too small. Find its one mistake and mend it, without
// changing how the kernel works: the technique is checked too.
//
// Start with `./grader/warpgrade check mask`, and with one small shape: `--shape 4096`.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;
constexpr int ELEMENTS = THREADS;  // that a block sums

__global__ void sum_block(const float* in, std::size_t n, float* sums) {
    __shared__ float part[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    part[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = THREADS / 2; s > 32; s /= 2) {
        if (tid < s) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid < 16) {  // these have work in the first shuffle
        float sum = part[tid] + part[tid + 32];
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
        if (tid == 0) sums[blockIdx.x] = sum;
    }
}

static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / ELEMENTS + 1; }

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        sum_block<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;
    }
}
