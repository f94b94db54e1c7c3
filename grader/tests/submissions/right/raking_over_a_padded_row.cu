// stage: scan/open
// Every thread scans a run of the block's elements in shared memory, whose rows have gaps; the spine is scanned by one warp.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 128;
constexpr int RUN = 9;  // elements of a thread: odd, so that runs begin in different banks
constexpr int ELEMENTS = THREADS * RUN;

__global__ void rake(const unsigned* in, int n, unsigned* out, unsigned* sums) {
    __shared__ unsigned all[ELEMENTS];
    __shared__ unsigned spine[THREADS];
    const int first = blockIdx.x * ELEMENTS;
    for (int k = threadIdx.x; k < ELEMENTS; k += THREADS) all[k] = first + k < n ? in[first + k] : 0;
    __syncthreads();
    unsigned* const mine = all + threadIdx.x * RUN;
    for (int k = 1; k < RUN; ++k) mine[k] += mine[k - 1];
    spine[threadIdx.x] = mine[RUN - 1];
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned part[4], sum = 0;
        for (int k = 0; k < 4; ++k) {
            part[k] = sum;
            sum += spine[threadIdx.x * 4 + k];
        }
        unsigned before = sum;
        for (int s = 1; s < 32; s *= 2) {
            const unsigned other = __shfl_up_sync(0xffffffff, before, s);
            if (threadIdx.x >= s) before += other;
        }
        before -= sum;
        for (int k = 0; k < 4; ++k) spine[threadIdx.x * 4 + k] = before + part[k];
    }
    __syncthreads();
    for (int k = 0; k < RUN; ++k) mine[k] += spine[threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.x; k < ELEMENTS; k += THREADS)
        if (first + k < n) out[first + k] = all[k];
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = all[ELEMENTS - 1];
}

__global__ void add_before(unsigned* out, int n, const unsigned* sums) {
    const int first = (blockIdx.x + 1) * ELEMENTS;
    const unsigned before = sums[blockIdx.x];
    for (int k = threadIdx.x; k < ELEMENTS && first + k < n; k += THREADS) out[first + k] += before;
}

// A launcher that calls itself: the sums of the blocks are scanned like everything else.
static void scan_level(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    rake<<<blocks, THREADS>>>(in, n, out, scratch);
    if (blocks == 1) return;
    scan_level(scratch, scratch, scratch + blocks, blocks);
    add_before<<<blocks - 1, THREADS>>>(out, n, scratch);
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) scan_level(in, out, scratch, n);
}
