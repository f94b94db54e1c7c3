// Stage 3, conflict free: the same tree, in an array with gaps.
//
// In step s of stage 2 the lanes of a warp touch words that are 2 * s apart. For s = 16 that is 32: all in one bank.
// The padding of the transpose helps again: leave one word free after every 32 elements. Element i then stands at
//
//     slot(i) = i + i / 32
//
// and words that were 32 apart are 33 apart, in neighbouring banks.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check conflict_free` should show
//   - every n right;
//   - 1 wavefront a request, for loads from and stores to shared memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;         // that a block scans
constexpr int THREADS = ELEMENTS / 2;  // of a block, one for two of them
constexpr int BANKS = 32;

// Where element i stands in the array with gaps.
__device__ static int slot(int i) {
    // TODO 1: one word is free after every BANKS elements.
    return i;
}

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    // TODO 2: your kernel of stage 2, with slot(...) around every index of `partial`, and with a `partial` that is
    // large enough for the gaps.
    (void)in, (void)n, (void)out, (void)sums, (void)slot, (void)BANKS;  // remove this line
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
