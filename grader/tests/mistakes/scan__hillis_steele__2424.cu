// Stage 1, Hillis and Steele: in step s every element takes in the one s before it; 10 steps for 1024 elements.

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

    for (int s = 1; s < ELEMENTS; s *= 2) {
        const unsigned before = tid >= s ? partial[tid - s] : 0;
        __syncthreads();  // everybody has read what the next line overwrites
        partial[tid] += before;
        __syncthreads();
    }

    if (i < n) out[i] = partial[tid];
    if (tid == ELEMENTS - 1) sums[blockIdx.x] = partial[tid];
}

// Adds to the elements of every block but the first the scanned sum of the block before.
__global__ void add_before(const unsigned* sums, int n, unsigned* out) {
    const int i = (blockIdx.x + 1) * ELEMENTS + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

// One block for every ELEMENTS elements, rounded up.
static int blocks_for(int n) { return (n - 1) / ELEMENTS + 1; }

// Three levels, for up to ELEMENTS * ELEMENTS * ELEMENTS elements: every block scans its own and leaves their sum; the
// sums are scanned in place, in the same way; then each block's elements take in the sum of all that is before them.
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
    add_before<<<blocks - 1, ELEMENTS>>>(sums, n, out);
}
