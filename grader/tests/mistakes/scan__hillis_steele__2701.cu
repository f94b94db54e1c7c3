#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;     // that a block scans
constexpr int THREADS = ELEMENTS;  // of a block, one for each

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
    if (i == n - 1) sums[blockIdx.x] = partial[tid];
}

__global__ void add_before(const unsigned* sums, int n, unsigned* out) {
    const int i = (blockIdx.x + 1) * ELEMENTS + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

static int blocks_for(int n) { return (n - 1) / ELEMENTS + 1; }

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
