// Stage 3, sequential: neighbouring threads touch neighbouring words.
//
// Addition does not mind the order. So let s run the other way, from THREADS / 2 down to 1: in each step the first s
// elements take in the s elements after them.
//
//     s = 4    0<-4   1<-5   2<-6   3<-7
//     s = 2    0<-2   1<-3
//     s = 1    0<-1
//
// The working threads are the first s, as in stage 2, and their words lie side by side, in 32 different banks.
//
// The task: write the tree, its loop and its barrier (one TODO). Leave the rest: one element a thread, so that you see
// what the order alone is worth.
//
// When it is done, `./grader/warpgrade check sequential` should show
//   - every n right;
//   - 1 wavefront a shared request: no bank conflicts;
//   - no divergence before the last warp.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block; a power of two

// Sums THREADS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void sequential(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid;

    partial[tid] = i < n ? in[i] : 0.0f;
    // TODO 1: the tree. Mind both kinds of waiting: for the elements to be there, and between the steps.

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

// Given: one block for every THREADS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / THREADS + 1; }

// Given: round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
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
