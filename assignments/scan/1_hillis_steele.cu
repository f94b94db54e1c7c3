// Stage 1, Hillis and Steele: the running sum, in log n steps.
//
// A scan gives every element the sum of all up to it: out[i] = in[0] + in[1] + ... + in[i]. (That is the inclusive
// scan; the exclusive one leaves in[i] itself out. Sorting, compaction and the rows of sparse matrices are built on
// it.)
//
// It looks as if each element had to wait for the one before. It need not. In step s = 1, 2, 4, ... every element takes
// in the one s before it:
//
//     in       a     b     c     d     e
//     s = 1    a    ab    bc    cd    de
//     s = 2    a    ab   abc  abcd  bcde
//     s = 4    a    ab   abc  abcd abcde
//
// After 10 steps each of 1024 elements has the sum of all before it in its block. What the blocks have to tell each
// other is given: see `scan`, at the end. Sums are taken modulo 2^32, so that any order gives the same result.
//
// The task: write the steps (one TODO).
//
// When it is done, `./grader/warpgrade check hillis_steele` should show
//   - every n right, also 0, 1, 1023, 1025 and 1052673;
//   - no bank conflicts, and a lot of work: an addition for every element in every step.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;     // that a block scans
constexpr int THREADS = ELEMENTS;  // of a block, one for each

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned partial[ELEMENTS];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * ELEMENTS + tid;

    partial[tid] = i < n ? in[i] : 0;
    __syncthreads();

    // TODO 1: for s = 1, 2, 4, ... below ELEMENTS: every thread reads partial[tid - s], or 0 where there is none; all
    // wait; then it adds what it has read to partial[tid]; all wait again. Why twice?

    if (i < n) out[i] = partial[tid];
    if (tid == ELEMENTS - 1) sums[blockIdx.x] = partial[tid];
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
