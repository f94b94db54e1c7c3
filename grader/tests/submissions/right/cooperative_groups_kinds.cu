// stage: reduction/open
// Cooperative groups: block, tiles, reduce, coalesced and labeled groups, all in one sum.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstddef>

#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void groups(const float* in, size_t n, float* out) {
    __shared__ float of_tile[16];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    float sum = 0;
    for (size_t i = block.thread_rank(); i < n; i += block.size()) sum += in[i];
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0) of_tile[tile.meta_group_rank()] = sum;
    block.sync();
    const auto warp = cg::tiled_partition<32>(block);
    if (warp.meta_group_rank() == 0) {
        float all = warp.thread_rank() < 16 ? of_tile[warp.thread_rank()] : 0.0f;
        for (int s = warp.size() / 2; s > 0; s /= 2) all += warp.shfl_down(all, s);
        if (warp.thread_rank() == 0) *out = all;
        if (warp.thread_rank() % 2 == 0) {
            const cg::coalesced_group some = cg::coalesced_threads();
            if (some.size() > 32 || some.shfl(static_cast<int>(some.thread_rank()), 0) != 0) *out = -1;
            if (cg::reduce(some, 1, cg::plus<int>()) != static_cast<int>(some.size())) *out = -2;
        }
        const auto part = cg::labeled_partition(warp, static_cast<int>(warp.thread_rank()) % 3);
        if (cg::reduce(part, 1, cg::plus<int>()) != static_cast<int>(part.size())) *out = -3;
        const auto half = cg::binary_partition(warp, warp.thread_rank() < 5);
        if (half.size() != (warp.thread_rank() < 5 ? 5 : 27)) *out = -4;
    }
}

void reduce(const float* in, size_t n, float*, float* out) { groups<<<1, 256>>>(in, n, out); }
