// stage: reduction/open
// says: uninitialized
// Four sums of a thread in an array, of which the loop fills those that there are elements for.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void four(const float* in, size_t n, float* out, int ways) {
    float sum[4];
    for (int k = 0; k < ways - 1; ++k) {
        sum[k] = 0;
        for (size_t i = threadIdx.x + k * 32; i < n; i += 32 * (ways - 1)) sum[k] += in[i];
    }
    float all = 0;
    for (int k = 0; k < ways; ++k) all += sum[k];  // <--
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(~0u, all, s);
    if (threadIdx.x == 0) *out = all;
}

void reduce(const float* in, size_t n, float*, float* out) { four<<<1, 32>>>(in, n, out, 4); }
