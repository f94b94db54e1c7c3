// stage: reduction/open
// Half of the blocks produce sums into slots, each word with the call's number and a float; the other half poll the slots and add.
#include <cuda_runtime.h>

#include <cstddef>

__device__ volatile unsigned long long slots[64];
__device__ unsigned call;
__device__ float total;
__device__ unsigned finished;

__global__ void begin() { ++call, total = 0, finished = 0; }

__global__ void pairs(const float* in, size_t n, float* out) {
    const unsigned now = call, half = gridDim.x / 2;
    if (blockIdx.x < half) {
        float v = 0;
        for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += half * 32ull) v += in[i];
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
        if (threadIdx.x == 0) slots[blockIdx.x] = (unsigned long long)now << 32 | __float_as_uint(v);
        return;
    }
    if (threadIdx.x != 0) return;
    unsigned long long word;
    do word = slots[blockIdx.x - half];
    while (unsigned(word >> 32) != now);
    atomicAdd(&total, __uint_as_float(unsigned(word)));
    __threadfence();
    if (atomicAdd(&finished, 1u) == half - 1) *out = atomicAdd(&total, 0.0f);
}

void reduce(const float* in, size_t n, float*, float* out) {
    begin<<<1, 1>>>();
    pairs<<<60, 32>>>(in, n, out);
}
