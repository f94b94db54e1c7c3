// Stage 3, sequential: the first s elements take in the next s; no conflicts, no divergence until the last warp.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block; a power of two

// Sums THREADS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void sequential(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid;

    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s >>= 2) {
        if (tid < s) partial[tid] += partial[tid + s];  // neighbours in neighbouring banks
        __syncthreads();
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

// One block for every THREADS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / THREADS + 1; }

// Round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        sequential<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
