// expect: stage=conflict_free verdict=pass rule=shared_load_wavefronts_over_ideal
// Half of the gaps: two words of a warp still share a bank.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;         // that a block scans
constexpr int THREADS = ELEMENTS / 2;  // of a block, one for two of them
constexpr int GAP_AFTER = 64;

// Index of element i: an unused word follows every 64 elements.
__device__ static int slot(int i) { return i + i / GAP_AFTER; }

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned partial[ELEMENTS + ELEMENTS / GAP_AFTER];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * ELEMENTS + tid;
    const int j = i + THREADS;

    const unsigned first = i < n ? in[i] : 0;
    const unsigned second = j < n ? in[j] : 0;
    partial[slot(tid)] = first;
    partial[slot(tid + THREADS)] = second;

    // Up: a tree of sums. The last element of every 2 * s has their sum.
    for (int s = 1; s < ELEMENTS; s *= 2) {
        __syncthreads();
        const int last = 2 * s * (tid + 1) - 1;
        if (last < ELEMENTS) partial[slot(last)] += partial[slot(last - s)];
    }

    // Down: what is before the whole is nothing; the left half has before it what the whole has, the right half the
    // left half as well.
    __syncthreads();
    if (tid == 0) {
        sums[blockIdx.x] = partial[slot(ELEMENTS - 1)];
        partial[slot(ELEMENTS - 1)] = 0;
    }
    for (int s = ELEMENTS / 2; s > 0; s /= 2) {
        __syncthreads();
        const int last = 2 * s * (tid + 1) - 1;
        if (last < ELEMENTS) {
            const unsigned left = partial[slot(last - s)];
            partial[slot(last - s)] = partial[slot(last)];
            partial[slot(last)] += left;
        }
    }
    __syncthreads();

    // partial holds what is before each element; an inclusive scan has the element itself as well.
    if (i < n) out[i] = partial[slot(tid)] + first;
    if (j < n) out[j] = partial[slot(tid + THREADS)] + second;
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
