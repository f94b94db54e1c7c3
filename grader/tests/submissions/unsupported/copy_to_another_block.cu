// stage: transpose/open
// says: unsupported
// A bulk copy into the shared memory of the other block of a cluster, and an mbarrier there.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) sent(const float* in, float* out, int rows, int cols) {
    __shared__ alignas(8) std::uint64_t bar;
    const auto cluster = cg::this_cluster();
    const auto theirs = static_cast<unsigned>(__cvta_generic_to_shared(cluster.map_shared_rank(&bar, cluster.block_rank() ^ 1)));
    cluster.sync();
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(theirs) : "memory");
    cluster.sync();
    const size_t n = static_cast<size_t>(rows) * cols;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    sent<<<64, 256>>>(in, out, rows, cols);
}
