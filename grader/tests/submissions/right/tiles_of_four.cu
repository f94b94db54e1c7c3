// stage: reduction/open
// cooperative groups of 4 lanes, groups of groups, and a block of 96 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstddef>

#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void fours(const float* in, size_t n, float* sums) {
    __shared__ float of_four[24];
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto four = cg::tiled_partition<4>(warp);
    float sum = 0;
    for (size_t i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) sum += in[i];
    sum = cg::reduce(four, sum, [](float a, float b) { return a + b; });
    // The last lane of an inclusive scan of ones knows how many there are.
    const int place = cg::inclusive_scan(four, 1);
    if (place == 4) of_four[block.thread_rank() / 4] = sum;
    cg::sync(block);
    if (warp.meta_group_rank() != 0) return;
    float all = warp.thread_rank() < 24 ? of_four[warp.thread_rank()] : 0.0f;
    for (int mask = 16; mask > 0; mask >>= 1) all += warp.shfl_xor(all, mask);
    cg::invoke_one(warp, [&] { sums[blockIdx.x] = all; });
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    fours<<<50, 96>>>(in, n, scratch);
    fours<<<1, 96>>>(scratch, 50, out);
}
