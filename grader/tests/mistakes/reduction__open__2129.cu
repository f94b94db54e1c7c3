#include <cuda_runtime.h>

#include <cstddef>

const int BLOCK = 256;
const int GRID = 264;

__device__ unsigned int count = 0;

__device__ float blockSum(float v) {
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int d = BLOCK / 2; d >= 1; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    return s[0];
}

__global__ void single_pass(const float* in, std::size_t n, float* partial, float* out) {
    __shared__ bool last;
    float v = 0;
    for (std::size_t i = (std::size_t)blockIdx.x * BLOCK + threadIdx.x; i < n; i += (std::size_t)GRID * BLOCK) v += in[i];
    float sum = blockSum(v);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&count, 1) == GRID - 1;
    }
    __syncthreads();
    if (last) {
        v = 0;
        for (int b = threadIdx.x; b < GRID; b += BLOCK) v += partial[b];
        sum = blockSum(v);
        if (threadIdx.x == 0) *out = sum;
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    single_pass<<<GRID, BLOCK>>>(in, n, scratch, out);
}
