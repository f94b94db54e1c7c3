// Stage 2, Blelloch: up a tree of sums and down again; as many additions as elements, with bank conflicts.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;         // that a block scans
constexpr int THREADS = ELEMENTS / 2;  // of a block, one for two of them

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned partial[ELEMENTS];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * ELEMENTS + tid;
    const int j = i + THREADS;

    const unsigned first = i < n ? in[i] : 0;
    const unsigned second = j < n ? in[j] : 0;
    partial[tid] = first;
    partial[tid + THREADS] = second;

    // Up: a tree of sums. The last element of every 2 * s has their sum.
    for (int s = 1; s < ELEMENTS; s *= 2) {
        __syncthreads();
        const int last = 2 * s * (tid + 1) - 1;
        if (last < ELEMENTS) partial[last] += partial[last - s];
    }

    // Down: what is before the whole is nothing; the left half has before it what the whole has, the right half the
    // left half as well.
    __syncthreads();
    if (tid == 0) {
        sums[blockIdx.x] = partial[ELEMENTS - 1];
        partial[ELEMENTS - 1] = 0;
    }
    for (int s = ELEMENTS / 2; s > 0; s /= 2) {
        __syncthreads();
        const int last = 2 * s * (tid + 1) - 1;
        if (last < ELEMENTS) {
            const unsigned left = partial[last - s];
            partial[last] += left;
            partial[last - s] = partial[last];
        }
    }
    __syncthreads();

    // partial holds what is before each element; an inclusive scan has the element itself as well.
    if (i < n) out[i] = partial[tid] + first;
    if (j < n) out[j] = partial[tid + THREADS] + second;
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
