#include <cuda_runtime.h>

#include <cstddef>

__global__ void add_all(const float* in, std::size_t n, float* out) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    add_all<<<n / 256 + 1, 256>>>(in, n, out);
}
