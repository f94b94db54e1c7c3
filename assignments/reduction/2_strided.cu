// Stage 2, strided: the same tree, but the threads that work stand together.
//
// Stage 1 asks "is my element at work in this step?", and the answer differs from thread to thread of a warp. Ask
// instead "which element does the tid-th working thread have?" In step s the elements at work are 0, 2s, 4s, 6s, ...
// Give the first to thread 0, the second to thread 1, and so on: whole warps then work, and whole warps are done.
//
// The task: write the tree again with that index (one TODO). The additions are the same, only other threads make them.
//
// When it is done, `./grader/warpgrade check strided` should show
//   - every n right;
//   - hardly any divergence, where stage 1 was full of it;
//   - something new: bank conflicts, up to 8 wavefronts for one shared request and 3.8 on average. Neighbouring threads
//     now touch words 2 * s apart, and words whose distance is a multiple of 32 share a bank. One sickness for another.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block; a power of two

// Sums THREADS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void strided(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid;

    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();

    // TODO 1: for s = 1, 2, 4, ... below THREADS: thread tid takes the element with index 2 * s * tid and adds to it
    // the one s further on. Most threads have no element left: which index is past the end? All threads wait at the end
    // of each step.

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

// Given: one block for every THREADS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / THREADS + 1; }

// Given: round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        strided<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
