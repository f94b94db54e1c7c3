// stage: reduction/open
// says: race_shared
// The mask of __syncwarp() leaves out the lanes whose values are read.
#include <cuda_runtime.h>
#include <cstddef>
__global__ void sum(const float* in, std::size_t n, float* out) {
    __shared__ float s[32];
    float v = 0;
    for (std::size_t i = threadIdx.x; i < n; i += 32) v += in[i];
    s[threadIdx.x] = v; // <--
    if (threadIdx.x < 16) {
        __syncwarp(0x0000ffff);
        s[threadIdx.x] += s[threadIdx.x + 16]; // <--
        __syncwarp(0x0000ffff);
    }
    v = threadIdx.x < 16 ? s[threadIdx.x] : 0;
    for (int d = 8; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) *out = v;
}
void reduce(const float* in, std::size_t n, float*, float* out) { sum<<<1, 32>>>(in, n, out); }
