// Stage 1 of the reduction as most courses write it: the loop's bound is blockDim.x, which the compiler does not know.
// stage: reduction/interleaved
//
// `tid % (2 * s)` is then a division of whole numbers, some twenty instructions, in every step. With the constant
// THREADS as the bound the loop is unrolled, 2 * s is a constant in each step, and the division is a test of some bits.
//
//   ./grader/warpgrade bench handouts/kernels/runtime_bound.cu reduction/interleaved --shape 67108864

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;

__global__ void runtime_bound(const float* in, std::size_t n, float* sums) {
    __shared__ float part[THREADS];
    const unsigned tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + tid;
    part[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
        if (tid % (2 * distance) == 0) part[tid] += part[tid + distance];
        __syncthreads();
    }
    if (tid == 0) sums[blockIdx.x] = part[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    for (;;) {
        const std::size_t blocks = n == 0 ? 1 : (n - 1) / THREADS + 1;
        float* const sums = blocks == 1 ? out : scratch;
        runtime_bound<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;
    }
}
