#include <cuda_runtime.h>
#include <cstddef>

constexpr int T = 256, B = 512;

__global__ void grid_sum(const float* in, std::size_t n, float* out) {
    __shared__ float s[T / 32];
    float v = 0.0f;
    std::size_t i = blockIdx.x * std::size_t(T) + threadIdx.x;
    while (i < n) {
        v += in[i];
        i += std::size_t(T) * gridDim.x;
    }
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0.0f;
        for (int w = 0; w < T / 32; ++w) all += s[w];
        out[blockIdx.x * T] = all;
    }
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    grid_sum<<<B, T>>>(in, n, scratch);
    grid_sum<<<1, T>>>(scratch, B, out);
}
