// stage: reduction/open
// says: host_dereference
// In the launcher `parts` is a place on the CPU: on a GPU the kernels get an address that is none of theirs.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256, BLOCKS = 128;

__device__ float parts[BLOCKS];

__global__ void sum(const float* in, std::size_t n, float* to) {
    __shared__ float partial[THREADS];
    float value = 0;
    for (std::size_t i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) value += in[i];
    partial[threadIdx.x] = value;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) to[blockIdx.x] = partial[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    sum<<<BLOCKS, THREADS>>>(in, n, parts);  // <--
    sum<<<1, THREADS>>>(parts, BLOCKS, out);
}
