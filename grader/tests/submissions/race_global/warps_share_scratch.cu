// stage: reduction/open
// says: race_global
// One block, and scratch in place of shared memory, but no __syncthreads() between the warps' stores and the loads.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void careless(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 128) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = sum;  // <--
    if (threadIdx.x != 127) return;
    *out = scratch[0] + scratch[1] + scratch[2] + scratch[3];  // <--
}

void reduce(const float* in, size_t n, float* scratch, float* out) { careless<<<1, 128>>>(in, n, scratch, out); }
