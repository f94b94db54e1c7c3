// stage: reduction/open
// says: race_shared
// Tiles of 8 lanes meet, and each reads what the next tile stored.
#include <cstddef>

#include <cuda_runtime.h>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void neighbours(const float* in, size_t n, float* sums) {
    __shared__ float part[32];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned lane = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + lane; i < n; i += gridDim.x * 32ull) sum += in[i];
    part[lane] = sum;  // <--
    tile.sync();
    if (lane < 8) sum = part[lane] + part[lane + 8] + part[lane + 16] + part[lane + 24];  // <--
    for (int s = 4; s > 0; s /= 2) sum += tile.shfl_down(sum, s);
    if (lane == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    neighbours<<<60, 32>>>(in, n, scratch);
    neighbours<<<1, 32>>>(scratch, 60, out);
}
