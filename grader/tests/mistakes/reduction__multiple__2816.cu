#include <cuda_runtime.h>
#include <cstddef>

constexpr int THREADS = 256;
constexpr int BLOCKS = 1024;

__global__ void partial_sums(const float* in, std::size_t n, float* sums) {
    __shared__ float s[THREADS];
    const std::size_t per = (n + gridDim.x * THREADS - 1) / (gridDim.x * THREADS);
    const std::size_t first = (blockIdx.x * THREADS + threadIdx.x) * per;
    const std::size_t end = min(first + per, n - 1);
    float v = 0.0f;
    for (std::size_t i = first; i < end; ++i) v += in[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    partial_sums<<<BLOCKS, THREADS>>>(in, n, scratch);
    partial_sums<<<1, THREADS>>>(scratch, BLOCKS, out);
}
