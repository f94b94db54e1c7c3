// stage: reduction/open
// More barriers than 16 bits count.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void sum(const float* in, size_t n, float* out) {
    __shared__ float s[64];
    float v = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) v += in[i];
    s[threadIdx.x] = v;
    for (int turn = 0; turn < 66000; ++turn) __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}
void reduce(const float* in, size_t n, float* scratch, float* out) { sum<<<1, 64>>>(in, n, out); }
