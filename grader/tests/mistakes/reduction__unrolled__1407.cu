// Stage 5, unrolled: the last warp needs no barrier.
//
// Once 64 elements or fewer are left, one warp does all the work, and 7 other warps only come along to the barriers.
// The threads of a warp can hand each other values directly, register to register, without shared memory or barrier:
//
//     sum += __shfl_down_sync(0xffffffff, sum, 16);   // thread t gets the sum of thread t + 16
//     ... 8, 4, 2, 1
//
// All 32 threads of the mask 0xffffffff have to reach the call together. Threads past the end get their own value back;
// what they compute is wrong, and nobody asks for it: thread 0 has the sum.
//
// Old course notes do this step with a `volatile` pointer and no synchronisation. That has been undefined since 2017
// (Volta), when the threads of a warp got program counters of their own; the tool reports it as a race. If you write a
// function for the sum over a warp, mark it `__device__`: only such functions can be called from a kernel.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check unrolled` should show
//   - every n right;
//   - 3 barriers a block instead of 9. (With shuffles in every warp one is enough. How?)

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;           // of a block; a power of two, at least 64
constexpr int ELEMENTS = 2 * THREADS;  // that a block sums
constexpr int WARP = 32;

// Sums ELEMENTS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void unrolled(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;

    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * ELEMENTS + tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + THREADS < n ? in[i + THREADS] : 0.0f);
    __syncthreads();
    for (int s = THREADS / 2; s > WARP; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }

    // TODO 2: the first warp (tid < WARP) adds the two halves of those 64 into a register and sums the 32 registers by
    // shuffles. Thread 0 writes the block's sum.
    if (tid < WARP) {
        for (int s = WARP; s > 0; s /= 2) {
            partial[tid] += partial[tid + s];
            __syncwarp();
        }
        if (tid == 0) sums[blockIdx.x] = partial[0];
    }
}

// Given: one block for every ELEMENTS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / ELEMENTS + 1; }

// Given: round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
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
