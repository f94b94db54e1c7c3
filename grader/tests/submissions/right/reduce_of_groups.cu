// stage: reduction/open
// cg::reduce of small tiles, of the threads that are there, and of those with one label.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <cstddef>
namespace cg = cooperative_groups;
__global__ void parts(const float* in, std::size_t n, float* scratch) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<16>(block);
    __shared__ float sums[16];
    float sum = 0;
    for (std::size_t i = std::size_t(blockIdx.x) * block.size() + block.thread_rank(); i < n; i += std::size_t(gridDim.x) * block.size()) sum += in[i];
    const float all = cg::reduce(tile, sum, cg::plus<float>());
    cg::invoke_one(tile, [&] { sums[tile.meta_group_rank()] = all; });
    block.sync();
    if (block.thread_rank() < 16) {
        const auto some = cg::coalesced_threads();
        const float total = cg::reduce(some, sums[some.thread_rank()], [](float a, float b) { return a + b; });
        if (some.thread_rank() == 0) scratch[blockIdx.x] = total;
    }
}
__global__ void total(const float* scratch, int count, float* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0;
    for (int i = warp.thread_rank(); i < count; i += warp.size()) sum += scratch[i];
    const auto odd = cg::labeled_partition(warp, warp.thread_rank() % 2);
    sum = cg::reduce(odd, sum, cg::plus<float>());
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (warp.thread_rank() == 0) *out = sum;
}
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    parts<<<100, 256>>>(in, n, scratch);
    total<<<1, 32>>>(scratch, 100, out);
}
