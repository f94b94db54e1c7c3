// stage: reduction/open
// says: race_global
// Every block takes its ticket first and adds after it: the last ticket is not the last addition.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float total;
__device__ unsigned drawn;

__global__ void sum(const float* in, size_t n, float* out) {
    __shared__ float part[256];
    float s = 0;
    for (size_t i = blockIdx.x * size_t(256) + threadIdx.x; i < n; i += size_t(256) * gridDim.x) s += in[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int k = 128; k > 0; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        const bool is_last = atomicAdd(&drawn, 1) == gridDim.x - 1;
        atomicAdd(&total, part[0]);  // <--
        __threadfence();
        if (is_last) {
            *out = atomicExch(&total, 0.0f);
            drawn = 0;
        }
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sum<<<unsigned(n / 1024 < 512 ? n / 1024 + 1 : 512), 256>>>(in, n, out);
}
