// stage: reduction/open
// says: inactive_lane
// Even and odd lanes go ways of their own, and both shuffle with the whole tile of 32.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace cg = cooperative_groups;

__global__ void branched(const float* in, size_t n, float* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    float sum = 0;
    for (size_t i = warp.thread_rank(); i < n; i += 32) sum += in[i];
    sum += warp.shfl_down(sum, 1);
    float odd = sum;
    if (warp.thread_rank() % 2 == 0) {
        for (int s = 16; s > 1; s /= 2) sum += warp.shfl_down(sum, s);  // <--
    } else {
        odd = warp.shfl(odd, 1);
    }
    warp.sync();
    if (warp.thread_rank() == 0) *out = odd == odd ? sum : odd;
}

void reduce(const float* in, size_t n, float*, float* out) { branched<<<1, 32>>>(in, n, out); }
