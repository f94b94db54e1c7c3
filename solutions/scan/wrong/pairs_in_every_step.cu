// expect: stage=blelloch verdict=pass rule=shared_load_wavefronts_over_ideal
// Two elements a thread, and every step adds to every pair: this is not a tree.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;         // that a block scans
constexpr int THREADS = ELEMENTS / 2;  // of a block, one for two of them

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned partial[THREADS];  // sums of pairs
    const int tid = threadIdx.x;
    const int i = blockIdx.x * ELEMENTS + 2 * tid;

    const unsigned first = i < n ? in[i] : 0;
    const unsigned second = i + 1 < n ? in[i + 1] : 0;
    partial[tid] = first + second;
    __syncthreads();

    for (int s = 1; s < THREADS; s *= 2) {
        const unsigned before = tid >= s ? partial[tid - s] : 0;
        __syncthreads();  // all threads have read what the next line overwrites
        partial[tid] += before;
        __syncthreads();
    }

    if (i < n) out[i] = partial[tid] - second;
    if (i + 1 < n) out[i + 1] = partial[tid];
    if (tid == THREADS - 1) sums[blockIdx.x] = partial[tid];
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
    if (groups > 1) {
        scan_blocks<<<1, THREADS>>>(group_sums, groups, group_sums, total);
        add_before<<<groups - 1, ELEMENTS>>>(group_sums, blocks, sums);
    }
    add_before<<<blocks - 1, ELEMENTS>>>(sums, n, out);
}
