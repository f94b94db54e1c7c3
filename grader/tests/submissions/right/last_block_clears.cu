// stage: reduction/open
// The block that comes last adds the sums of the others, and clears them for the next call, whichever block it is.
#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned done = 0;
__device__ float sums[128];

__global__ void clearing(const float* in, size_t n, float* out) {
    __shared__ bool is_last;
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    atomicAdd(&sums[blockIdx.x], sum);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < 128; ++i) total += sums[i];
        *out = total;
        done = 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 128; i += 64) sums[i] = 0.0f;
}

void reduce(const float* in, size_t n, float*, float* out) { clearing<<<128, 64>>>(in, n, out); }
