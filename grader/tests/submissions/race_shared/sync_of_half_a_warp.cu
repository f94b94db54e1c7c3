// stage: reduction/open
// says: race_shared
// tiled_partition<16>().sync() orders sixteen lanes, and thirty-two are read.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cstddef>
namespace cg = cooperative_groups;
__global__ void sum(const float* in, std::size_t n, float* out) {
    __shared__ float s[32];
    const auto half = cg::tiled_partition<16>(cg::this_thread_block());
    float v = 0;
    for (std::size_t i = threadIdx.x; i < n; i += 32) v += in[i];
    s[threadIdx.x] = v; // <--
    half.sync();
    float t = 0;
    if (threadIdx.x == 0) {
        for (int k = 0; k < 32; ++k) t += s[k]; // <--
        *out = t;
    }
}
void reduce(const float* in, std::size_t n, float*, float* out) { sum<<<1, 32>>>(in, n, out); }
