// Stage 3, aggregated: lanes with the same value add once.
//
// If 90 of a hundred elements are the same, 29 of the 32 lanes of a warp want the same bin, and wait for each other.
// They can find each other first:
//
//     same = __match_any_sync(mask, value)      // the lanes of mask that have the same value as this one, as bits
//
// The first of them adds for all: __ffs(same) - 1 is its number, __popc(same) is how many they are.
//
// All lanes of the mask have to reach the call. At the end of the input some lanes have no element. So ask first who
// does, while all are there: present = __ballot_sync(ALL_LANES, i < n), and let the loop go on as long as the *first*
// lane of the warp has an element: i - lane < n.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check aggregated` should show
//   - every shape right;
//   - far fewer additions to shared memory than elements. (The counters are read on a shape with 90 in a hundred the
//   same.)

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;       // of a block, one for each bin
constexpr int MOST_BLOCKS = 1056;  // 8 for each of the 132 multiprocessors of an H200
constexpr int SHARE = 32;          // elements a thread at least: each block costs BINS additions to global memory
constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffff;

static_assert(THREADS == BINS, "a thread clears one bin and adds it up");

__global__ void aggregated(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    const int lane = threadIdx.x % WARP;
    // TODO 1: the loop of stage 2, with i - lane < n as its condition. First the ballot; then lanes without an element
    // leave the loop.

    // TODO 2: in the loop: the lanes with the same value, by __match_any_sync(present, ...); the first of them adds how
    // many they are.
    (void)in, (void)n, (void)lane, (void)ALL_LANES;  // remove this line

    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

// Given: as in stage 2.
void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / (THREADS * SHARE) + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    aggregated<<<blocks, THREADS>>>(in, counts, n);
}
