// stage: reduction/open
// Scopes wider than needed: __threadfence_system and atomicAdd_system, red.sys, and a volatile flag.
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned ready;

__global__ void system_wide(const float* in, size_t n, volatile float* sums, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        sums[blockIdx.x] = sum;
        __threadfence_system();
        asm volatile("red.relaxed.sys.global.add.u32 [%0], 1;" ::"l"(&ready) : "memory");
        return;
    }
    while (atomicAdd_system(&ready, 0) != gridDim.x - 1) __nanosleep(100);
    __threadfence_system();
    for (unsigned b = 1; b < gridDim.x; ++b) sum += sums[b];
    *out = sum;
    atomicExch_system(&ready, 0);
}

void reduce(const float* in, size_t n, float* scratch, float* out) { system_wide<<<16, 32>>>(in, n, scratch, out); }
