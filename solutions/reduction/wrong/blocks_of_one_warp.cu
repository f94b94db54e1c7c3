// expect: stage=unrolled verdict=pass rule=threads_per_block
// A block of one warp has few barriers, and waits at one in every step.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 32;            // of a block; a power of two
constexpr int ELEMENTS = 2 * THREADS;  // that a block sums

// Sums ELEMENTS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void unrolled(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;

    // THREADS apart, not side by side: each of the two loads is coalesced by itself.
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    const float a = i < n ? in[i] : 0.0f;
    const float b = i + THREADS < n ? in[i + THREADS] : 0.0f;
    partial[tid] = a + b;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
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
