// Cooperative groups: each thread adds up what lies a grid apart, cg::reduce a warp, then a block. ENDS 0: one atomic
// addition a block; 1: a second launch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstddef>

#ifndef ENDS
#define ENDS 0
#endif

namespace cg = cooperative_groups;

__global__ void by_groups(const float* in, std::size_t n, float* out) {
    __shared__ float of_warps[32];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    float sum = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * block.size() + block.thread_rank(); i < n;
         i += static_cast<std::size_t>(gridDim.x) * block.size())
        sum += in[i];
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() != 0) return;
    sum = warp.thread_rank() < warp.meta_group_size() ? of_warps[warp.thread_rank()] : 0.0f;
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() != 0) return;
#if ENDS
    out[blockIdx.x] = sum;
#else
    atomicAdd(out, sum);
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
#if ENDS
    by_groups<<<660, 384>>>(in, n, scratch);
    by_groups<<<1, 384>>>(scratch, 660, out);
#else
    cudaMemsetAsync(out, 0, sizeof(float), 0);
    by_groups<<<1320, 192>>>(in, n, out);
#endif
}
