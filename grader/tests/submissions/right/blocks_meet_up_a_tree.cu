// stage: reduction/open
// Blocks meet in pairs up a binary tree: whoever comes second at a node goes on with both sums; node counters clear themselves by atomicInc.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int leaves = 64;
__device__ unsigned met[leaves];
__device__ float left_here[2 * leaves];

__global__ void climb(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += leaves * 64ull) sum += in[i];
    __shared__ float upper;
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x == 32) upper = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    sum += upper;
    for (int node = leaves + blockIdx.x; node > 1; node /= 2) {
        left_here[node] = sum;
        __threadfence();
        if (atomicInc(&met[node / 2], 1u) == 0) return;
        __threadfence();
        const float other = *static_cast<volatile float*>(&left_here[node ^ 1]);
        sum = node % 2 == 0 ? sum + other : other + sum;
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float*, float* out) { climb<<<leaves, 64>>>(in, n, out); }
