// stage: scan/warp_shuffles
// cg::inclusive_scan and cg::exclusive_scan of warps.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__device__ unsigned block_scan(unsigned v, unsigned* warp_sums) {
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    v = cg::inclusive_scan(warp, v, cg::plus<unsigned>());
    if (warp.thread_rank() == warp.size() - 1) warp_sums[warp.meta_group_rank()] = v;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        const unsigned s = warp.thread_rank() < block.size() / 32 ? warp_sums[warp.thread_rank()] : 0;
        const unsigned before = cg::exclusive_scan(warp, s);
        if (warp.thread_rank() < block.size() / 32) warp_sums[warp.thread_rank()] = before;
    }
    block.sync();
    return v + warp_sums[warp.meta_group_rank()];
}
__global__ void sums_of(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned w[32];
    const int i = blockIdx.x * 512 + threadIdx.x;
    const unsigned v = block_scan(i < n ? in[i] : 0u, w);
    if (i < n) out[i] = v;
    if (threadIdx.x == 511) sums[blockIdx.x] = v;
}
__global__ void over_sums(unsigned* sums, int count) {
    __shared__ unsigned w[32];
    unsigned carry = 0;
    for (int first = 0; first < count; first += 512) {
        const int i = first + threadIdx.x;
        const unsigned v = block_scan(i < count ? sums[i] : 0u, w) + carry;
        if (i < count) sums[i] = v;
        __shared__ unsigned last;
        if (threadIdx.x == 511) last = v;
        __syncthreads();
        carry = last;
        __syncthreads();
    }
}
__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = (blockIdx.x + 1) * 512 + threadIdx.x;
    if (i < n) out[i] += __ldg(&sums[blockIdx.x]);
}
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int blocks = (n + 511) / 512;
    sums_of<<<blocks, 512>>>(in, out, scratch, n);
    if (blocks == 1) return;
    over_sums<<<1, 512>>>(scratch, blocks);
    add<<<blocks - 1, 512>>>(out, scratch, n);
}
