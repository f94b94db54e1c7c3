// Stage 2, privatised: every block counts for itself.
//
// All atomics of stage 1 go to the same 256 places of one memory. Give each block bins of its own, in shared memory: it
// counts there, and at its end adds its 256 counts to everybody's, 256 additions to global memory for thousands of
// elements. So a block should have many elements: start a limited number of blocks and let every thread walk through
// the input in steps of the whole grid, as in the reduction.
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check privatised` should show
//   - every shape right;
//   - an addition to shared memory for each element, and few to global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;       // of a block, one for each bin
constexpr int MOST_BLOCKS = 1056;  // 8 for each of the 132 multiprocessors of an H200
constexpr int SHARE = 32;          // elements a thread at least: each block costs BINS additions to global memory

static_assert(THREADS == BINS, "a thread clears one bin and adds it up");

__global__ void privatised(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[BINS];

    // TODO 1: each thread clears one bin, and all wait: nobody may count before all bins are 0.
    bins[threadIdx.x] = 0;

    // TODO 2: a grid-stride loop: this thread's elements are its number in the grid, and on in steps of
    // gridDim.x * THREADS. Count each of them in bins, with atomicAdd. Count i in std::size_t.

    // TODO 3: wait for the whole block, and add one bin to counts, with atomicAdd: other blocks do the same.
    (void)in, (void)counts, (void)n, (void)bins[0];  // remove this line
}

// Given: a block for every THREADS * SHARE elements, up to MOST_BLOCKS.
void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / (THREADS * SHARE) + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    privatised<<<blocks, THREADS>>>(in, counts, n);
}
