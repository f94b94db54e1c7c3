// expect: stage=unrolled verdict=pass rule=barriers_per_block
// Only the last step uses a shuffle: the block waits for four steps of its last warp.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;           // of a block; a power of two, at least 64
constexpr int ELEMENTS = 2 * THREADS;  // that a block sums
constexpr unsigned ALL_LANES = 0xffffffff;

// Sums ELEMENTS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void unrolled(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;

    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    const float a = i < n ? in[i] : 0.0f;
    const float b = i + THREADS < n ? in[i + THREADS] : 0.0f;
    partial[tid] = a + b;
    __syncthreads();

    for (int s = THREADS / 2; s > 1; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }

    if (tid < 32) {
        float sum = partial[tid];
        sum += __shfl_down_sync(ALL_LANES, sum, 1);
        if (tid == 0) sums[blockIdx.x] = sum;
    }
}

// One block for every ELEMENTS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / ELEMENTS + 1; }

// Round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        unrolled<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
