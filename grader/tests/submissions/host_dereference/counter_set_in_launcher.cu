// stage: reduction/open
// says: host_dereference
// Sets a counter of the launcher's own; the one on the GPU goes on from where the last call left it.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256, BLOCKS = 64;

__device__ unsigned arrived;

__global__ void sum(const float* in, std::size_t n, float* parts, float* out) {
    __shared__ float partial[THREADS];
    __shared__ bool is_last;
    float value = 0;
    for (std::size_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) value += in[i];
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = partial[0];
        __threadfence();
        is_last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    __threadfence();
    float all = 0;
    for (int block = 0; block < gridDim.x; ++block) all += parts[block];
    *out = all;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    arrived = 0;  // <--
    sum<<<BLOCKS, THREADS>>>(in, n, scratch, out);
}
