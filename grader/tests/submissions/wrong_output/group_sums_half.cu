// stage: reduction/open
// says: wrong_output
// Groups of 8 threads whose shuffles begin at 2. Without optimisation the group is copied whole, bytes of no use with it:
// they are not why the sum is wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace cg = cooperative_groups;

__global__ void zero(float* out) { *out = 0; }

__global__ void eights(const float* in, size_t n, float* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    float sum = 0;
    for (size_t i = blockIdx.x * 48ull + threadIdx.x; i < n; i += gridDim.x * 48ull) sum += in[i];
    for (int s = 2; s > 0; s /= 2) sum += tile.shfl_down(sum, s);
    if (tile.thread_rank() == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    zero<<<1, 1>>>(out);
    eights<<<12, 48>>>(in, n, out);
}
