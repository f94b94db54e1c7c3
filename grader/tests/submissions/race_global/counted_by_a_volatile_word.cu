// stage: reduction/open
// says: race_global
// The blocks that are done are counted by ++ on a volatile variable.
#include <cuda_runtime.h>
#include <cstddef>
__device__ volatile unsigned done;
__device__ float part[24];
__global__ void start() { done = 0; }
__global__ void last(const float* in, size_t n, float* out) {
    float v = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += 24 * 32) v += in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x) return;
    part[blockIdx.x] = v;
    __threadfence();
    done = done + 1;  // <--
    __threadfence();
    if (done == 24) {
        v = 0;
        for (int b = 0; b < 24; ++b) v += part[b];
        *out = v;
    }
}
void reduce(const float* in, size_t n, float*, float* out) {
    start<<<1, 1>>>();
    last<<<24, 32>>>(in, n, out);
}
