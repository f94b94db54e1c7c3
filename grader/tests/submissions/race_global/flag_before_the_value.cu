// stage: reduction/open
// says: race_global
// The flag is raised first and the sum is stored after it; the fence between them keeps just that order.
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned ready;

__global__ void reversed(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        atomicAdd(&ready, 1);
        __threadfence();
        scratch[blockIdx.x] = sum;  // <--
        return;
    }
    while (atomicAdd(&ready, 0) != gridDim.x - 1) {
    }
    __threadfence();
    for (unsigned b = 1; b < gridDim.x; ++b) sum += scratch[b];  // <--
    *out = sum;
    ready = 0;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { reversed<<<12, 32>>>(in, n, scratch, out); }
