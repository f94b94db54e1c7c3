// Stage 2, Blelloch: up a tree and down again, with as many additions as there are elements.
//
// Stage 1 makes 10 x 1024 additions for 1024 elements; the loop on a CPU makes 1023. Blelloch's scan needs about 2 x
// 1024.
//
// Up, as in a reduction: in step s = 1, 2, 4, ... the last element of every 2 * s takes in the last of their left half.
//
//     s = 1     a    ab    c    cd    e    ef    g     gh
//     s = 2     a    ab    c  abcd    e    ef    g   efgh
//     s = 4     a    ab    c  abcd    e    ef    g   abcdefgh
//
// Down: the last element becomes 0, which is what stands before the whole. Then, for s = ELEMENTS / 2, ..., 2, 1, what
// is before the whole goes to the left half, and what is before the whole plus the left half's sum goes to the right
// half:
//
//     left = p[last - s];   p[last - s] = p[last];   p[last] += left;
//
// At the end partial[i] is the sum of all *before* element i. Each thread kept its two elements and adds them:
// inclusive.
//
// The task: fill the two TODOs.
//
// When it is done, `./grader/warpgrade check blelloch` should show
//   - every n right;
//   - half as many threads, each with two elements;
//   - bank conflicts: with a stride of 2 * s words, two lanes meet in one bank, then four, eight, sixteen. Stage 3
//     removes them.

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

    // TODO 1: up. In step s thread tid has the 2 * s elements that end at last = 2 * s * (tid + 1) - 1, if that is
    // below ELEMENTS. The barrier stands at the start of each step, where all threads come by.

    __syncthreads();
    if (tid == 0) {
        sums[blockIdx.x] = partial[ELEMENTS - 1];
        partial[ELEMENTS - 1] = 0;
    }

    // TODO 2: down, with the same `last`, and again a barrier at the start of each step.

    __syncthreads();
    if (i < n) out[i] = partial[tid] + first;
    if (j < n) out[j] = partial[tid + THREADS] + second;
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
