// stage: reduction/open
// binary_partition of a tile by sign: one group adds what is below zero, the other one the rest, each by its own ranks.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace cg = cooperative_groups;

__device__ float sum_of_group(const cg::coalesced_group& group, float value) {
    // Steps of any size: who has nobody opposite adds nothing.
    for (unsigned size = group.size(); size > 1;) {
        const unsigned half = (size + 1) / 2;
        const float other = group.shfl_down(value, half);
        if (group.thread_rank() + half < size) value += other;
        size = half;
    }
    return value;
}

__global__ void by_sign(const float* in, size_t n, float* sums) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float below = 0, above = 0;
    const size_t step = cg::this_grid().num_threads();
    for (size_t first = cg::this_grid().thread_rank() - warp.thread_rank(); first < n; first += step) {
        const size_t i = first + warp.thread_rank();
        const float x = i < n ? in[i] : 0.0f;
        const auto group = cg::binary_partition(warp, x < 0);
        const float sum = sum_of_group(group, x);
        if (group.thread_rank() == 0) (x < 0 ? below : above) += sum;
        warp.sync();
    }
    const float all = sum_of_group(cg::coalesced_threads(), below + above);
    if (warp.thread_rank() == 0) sums[blockIdx.x * warp.meta_group_size() + warp.meta_group_rank()] = all;
}

__global__ void finish(const float* sums, int count, float* out) {
    float sum = 0;
    for (int i = 0; i < count; ++i) sum += sums[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    by_sign<<<24, 64>>>(in, n, scratch);
    finish<<<1, 1>>>(scratch, 48, out);
}
