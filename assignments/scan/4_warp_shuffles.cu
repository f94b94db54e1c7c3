// Stage 4, warp shuffles: 20 barriers become 2.
//
// A warp can scan its 32 elements without shared memory and without a barrier, by the steps of Hillis and Steele:
// __shfl_up_sync(ALL_LANES, sum, s) gives each lane the sum of the lane s before it. (The first s lanes get their own
// back, and must not add it.)
//
// Then the block is 32 warps, each with one sum, and these are scanned in the same way by the first warp: 32 sums for
// 32 lanes. Every thread adds what stands before its warp.
//
// The task: fill the three TODOs.
//
// When it is done, `./grader/warpgrade check warp_shuffles` should show
//   - every n right;
//   - 2 barriers a block.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;     // that a block scans
constexpr int THREADS = ELEMENTS;  // of a block, one for each
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL_LANES = 0xffffffff;

// The sum of the lanes up to this one. All 32 must call it together.
__device__ static unsigned warp_scan(unsigned sum) {
    // TODO 1: five steps, s = 1, 2, 4, 8, 16. The shuffle stands outside of the if: all lanes have to reach it.
    (void)ALL_LANES;  // remove this line
    return sum;
}

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned warp_sums[WARPS];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * ELEMENTS + tid;

    // TODO 2: scan the warp's elements; its last lane leaves the warp's sum; wait; the first warp scans the sums; wait.
    warp_sums[tid / WARP] = 0;

    // TODO 3: add what stands before this warp, and store to out; the last thread leaves the block's sum in sums.
    (void)in, (void)n, (void)out, (void)sums, (void)i, (void)warp_scan, (void)warp_sums[0];  // remove this line
}

// Given: adds to the elements of every block but the first the scanned sum of the block before.
__global__ void add_before(const unsigned* sums, int n, unsigned* out) {
    const int i = (blockIdx.x + 1) * ELEMENTS + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

// Given: one block for every ELEMENTS elements, rounded up.
static int blocks_for(int n) { return (n - 1) / ELEMENTS + 1; }

// Given: three levels, for up to ELEMENTS * ELEMENTS * ELEMENTS elements. Every block scans its own and leaves their
// sum; the sums are scanned in place, in the same way; then each block's elements take in the sum of all that is before
// them.
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int blocks = blocks_for(n);
    const int groups = blocks_for(blocks);
    unsigned* const sums = scratch;               // of blocks
    unsigned* const group_sums = sums + blocks;   // of the sums of ELEMENTS blocks
    unsigned* const total = group_sums + groups;  // nobody reads it

    scan_blocks<<<blocks, THREADS>>>(in, n, out, sums);
    if (blocks == 1) return;
    scan_blocks<<<groups, THREADS>>>(sums, blocks, sums, group_sums);
    if (groups > 1) {
        scan_blocks<<<1, THREADS>>>(group_sums, groups, group_sums, total);
        add_before<<<groups - 1, ELEMENTS>>>(group_sums, blocks, sums);
    }
    add_before<<<blocks - 1, ELEMENTS>>>(sums, n, out);
}
