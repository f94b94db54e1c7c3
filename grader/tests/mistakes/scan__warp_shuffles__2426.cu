// Stage 4, warp shuffles: a warp scans its 32 elements in registers; the sums of the 32 warps are scanned by the first.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int ELEMENTS = 1024;     // that a block scans
constexpr int THREADS = ELEMENTS;  // of a block, one for each
constexpr int WARP = 32;
constexpr int WARPS = THREADS / WARP;
constexpr unsigned ALL_LANES = (1 << WARP) - 1;

static_assert(WARPS == WARP, "the first warp scans one sum a lane");

// The sum of the lanes up to this one. All 32 must call it together.
__device__ static unsigned warp_scan(unsigned sum) {
    const int lane = threadIdx.x % WARP;
    for (int s = 1; s < WARP; s *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, sum, s);
        if (lane >= s) sum += before;
    }
    return sum;
}

// Scans ELEMENTS elements of in (fewer in the last block) into out, and leaves their sum in sums[blockIdx.x].
__global__ void scan_blocks(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned warp_sums[WARPS];
    const int tid = threadIdx.x;
    const int warp = tid / WARP;
    const int i = blockIdx.x * ELEMENTS + tid;

    unsigned sum = warp_scan(i < n ? in[i] : 0);
    if (tid % WARP == WARP - 1) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) warp_sums[tid] = warp_scan(warp_sums[tid]);
    __syncthreads();

    if (warp > 0) sum += warp_sums[warp - 1];
    if (i < n) out[i] = sum;
    if (tid == ELEMENTS - 1) sums[blockIdx.x] = sum;
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
