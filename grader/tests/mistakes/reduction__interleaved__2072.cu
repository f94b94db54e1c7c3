// Stage 1, interleaved: a tree of sums in shared memory, the way that comes to mind first.
//
// out[0] = in[0] + in[1] + ... + in[n - 1]. Every block sums 256 elements into one, a thread an element; the launcher
// then sums the sums of the blocks with the same kernel, until one is left.
//
// Inside a block, in step s = 1, 2, 4, ... every element whose index is a multiple of 2 * s takes in the element s
// further on:
//
//     s = 1    0<-1   2<-3   4<-5   6<-7   ...
//     s = 2    0<-----2      4<-----6
//     s = 4    0<------------4
//
// 8 steps instead of 255 additions one after the other. partial[0] has the sum when all are done.
//
// The task: write the tree (one TODO).
//
// When it is done, `./grader/warpgrade check interleaved` should show
//   - every n right, also 0, 1, 255, 257 and 1048577;
//   - divergence: in the first step every other thread of a warp works, in the next every fourth, in the fifth one. A
//     warp takes the time of the whole warp anyway. Stage 2 does something about that.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block; a power of two

// Sums THREADS elements of in (fewer in the last block) into sums[blockIdx.x].
__global__ void interleaved(const float* in, std::size_t n, float* sums) {
    __shared__ float partial[THREADS];
    const int tid = threadIdx.x;
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid;

    // Threads past the end bring a zero, so that the tree need not know about n.
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();

    // TODO 1: for s = 1, 2, 4, ... below THREADS: a thread whose tid is a multiple of 2 * s adds partial[tid + s] to
    // its own. Before the next step all threads wait for each other: all of them, so not inside the if.

    for (int s = 0; s < THREADS; s *= 2) {
        if (tid % (2 * s) == 0) partial[tid] += partial[tid + s];
        __syncthreads();
    }

    if (tid == 0) sums[blockIdx.x] = partial[0];
}

// Given: one block for every THREADS elements, rounded up; at least one, to write the sum of nothing.
static std::size_t blocks_for(std::size_t n) { return n == 0 ? 1 : (n - 1) / THREADS + 1; }

// Given: round after round, until one sum is left. A round leaves one sum a block, and these are the input of the next.
void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    while (true) {
        const std::size_t blocks = blocks_for(n);
        float* const sums = blocks == 1 ? out : scratch;
        interleaved<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, sums);
        if (blocks == 1) return;
        in = sums;
        n = blocks;
        scratch += blocks;  // the next round must not write over the sums that it reads
    }
}
