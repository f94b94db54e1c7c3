// stage: reduction/open
// Block 0 waits for the others by spinning on a flag that each of them raises with an atomic: all of them are resident.
#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned arrived = 0;

__global__ void waiting(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x != 0) {
        scratch[blockIdx.x] = sum;
        __threadfence();
        atomicAdd(&arrived, 1);
        return;
    }
    while (atomicAdd(&arrived, 0) != gridDim.x - 1) {
    }
    __threadfence();
    for (unsigned b = 1; b < gridDim.x; ++b) sum += __ldcg(&scratch[b]);
    *out = sum;
    arrived = 0;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { waiting<<<16, 32>>>(in, n, scratch, out); }
