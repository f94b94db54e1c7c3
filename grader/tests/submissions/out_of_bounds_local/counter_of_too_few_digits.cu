// stage: reduction/open
// says: out_of_bounds_local
// Pairwise sums carry like a counter, which has room for 2^12 elements a thread and gets more.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void carried(const float* in, size_t n, float* out) {
    float level[12];
    unsigned count = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) {
        float value = in[i];
        int k = 0;
        for (unsigned c = count; c & 1; c >>= 1) value += level[k++];
        level[k] = value;  // <--
        ++count;
    }
    float sum = 0;
    for (int k = 0; count >> k != 0; ++k)
        if (count >> k & 1) sum += level[k];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) { carried<<<1, 32>>>(in, n, out); }
