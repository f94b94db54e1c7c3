#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;
constexpr int BLOCKS = 1056;

// Each thread sums one contiguous piece.
__global__ void multiple(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    const std::size_t piece = n / threads;
    const std::size_t first = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) * piece;
    float sum = 0.0f;
    for (std::size_t i = first; i < first + piece; ++i) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    multiple<<<BLOCKS, THREADS>>>(in, n, scratch);
    multiple<<<1, THREADS>>>(scratch, BLOCKS, out);
}
