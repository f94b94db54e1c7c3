// stage: reduction/open
// says: uninitialized
// A function returns the address of its own array; another call lies there by the time it is read.
#include <cuda_runtime.h>
#include <cstddef>

__device__ __noinline__ float* four_sums(const float* in, size_t n, int first) {
    float sum[4];
    for (int k = 0; k < 4; ++k) {
        sum[k] = 0;
        for (size_t i = first + k * 32; i < n; i += 256) sum[k] += in[i];
    }
    float* volatile where = sum;
    return where;
}

__global__ void kept(const float* in, size_t n, float* out) {
    const float* const low = four_sums(in, n, threadIdx.x);
    const float* const high = four_sums(in, n, threadIdx.x + 128);
    float all = 0;
    for (int k = 0; k < 4; ++k) all += low[k] + high[k];  // <--
    for (int s = 16; s > 0; s /= 2) all += __shfl_down_sync(~0u, all, s);
    if (threadIdx.x == 0) *out = all;
}

void reduce(const float* in, size_t n, float*, float* out) { kept<<<1, 32>>>(in, n, out); }
