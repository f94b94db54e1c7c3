// stage: reduction/sequential
// Small blocks: half of the warps are a last warp, which divergence is measured by.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sequential(const float* in, size_t n, float* sums) {
    __shared__ float partial[64];
    const unsigned tid = threadIdx.x;
    const size_t i = blockIdx.x * 64ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = partial[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    for (;;) {
        const size_t blocks = n == 0 ? 1 : (n - 1) / 64 + 1;
        float* const sums = blocks == 1 ? out : scratch;
        sequential<<<static_cast<unsigned>(blocks), 64>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums, n = blocks, scratch += blocks;
    }
}
