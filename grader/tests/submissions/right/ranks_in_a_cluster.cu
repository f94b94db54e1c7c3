// stage: reduction/open
// Clusters of four blocks: each takes what its rank in the cluster says, and all meet.
#include <cstddef>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) by_rank(const float* in, size_t n, float* scratch) {
    const auto cluster = cg::this_cluster();
    const size_t clusters = gridDim.x / cluster.num_blocks(), mine = blockIdx.x / cluster.num_blocks();
    float sum = 0;
    for (size_t i = mine * cluster.num_threads() + cluster.thread_rank(); i < n; i += clusters * cluster.num_threads()) sum += in[i];
    cluster.sync();
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) scratch[mine * 4 + cluster.block_rank()] = sum;
}

__global__ void finish(const float* scratch, float* out) {
    float sum = scratch[threadIdx.x];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    by_rank<<<32, 32>>>(in, n, scratch);
    finish<<<1, 32>>>(scratch, out);
}
