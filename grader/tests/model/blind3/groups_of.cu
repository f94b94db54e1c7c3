// Sums by cooperative groups: tiles of PARTS lanes, their sums through shared memory; EACH elements a thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstddef>

#ifndef PARTS
#define PARTS 32
#endif
#ifndef EACH
#define EACH 4
#endif

namespace cg = cooperative_groups;
constexpr int THREADS = 256;

__global__ void by_groups(const float* in, std::size_t n, float* sums) {
    __shared__ float of_part[THREADS / PARTS];
    const auto block = cg::this_thread_block();
    const auto part = cg::tiled_partition<PARTS>(block);
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * THREADS * EACH + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        if (first + k * THREADS < n) sum += in[first + k * THREADS];
    sum = cg::reduce(part, sum, cg::plus<float>());
    if (part.thread_rank() == 0) of_part[part.meta_group_rank()] = sum;
    block.sync();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / PARTS; ++k) of_part[0] += of_part[k];
        sums[blockIdx.x] = of_part[0];
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (n > THREADS * EACH) {
        const std::size_t blocks = (n - 1) / (THREADS * EACH) + 1;
        by_groups<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, scratch);
        in = scratch;
        scratch += blocks;
        n = blocks;
    }
    by_groups<<<1, THREADS>>>(in, n, out);
}
