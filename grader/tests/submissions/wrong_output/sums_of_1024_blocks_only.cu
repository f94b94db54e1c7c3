// stage: scan/open
// says: wrong_output
// The sums of the blocks are scanned by one block of 1024 threads, an element each: right up to 2^20 elements.
#include <cuda_runtime.h>

__device__ unsigned scan_block(unsigned v) {
    __shared__ unsigned part[1024];
    part[threadIdx.x] = v;
    for (int s = 1; s < 1024; s *= 2) {
        __syncthreads();
        const unsigned other = threadIdx.x >= s ? part[threadIdx.x - s] : 0;
        __syncthreads();
        part[threadIdx.x] += other;
    }
    return part[threadIdx.x];
}

__global__ void blocks(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    const int i = blockIdx.x * 1024 + threadIdx.x;
    const unsigned v = scan_block(i < n ? in[i] : 0);
    if (i < n) out[i] = v;
    if (threadIdx.x == 1023) sums[blockIdx.x] = v;
}

__global__ void once(unsigned* sums, int count) {
    const unsigned v = scan_block(threadIdx.x < count ? sums[threadIdx.x] : 0);
    if (threadIdx.x < count) sums[threadIdx.x] = v;
}

__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = (blockIdx.x + 1) * 1024 + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int count = (n + 1023) / 1024;
    blocks<<<count, 1024>>>(in, out, scratch, n);
    once<<<1, 1024>>>(scratch, count);
    if (count > 1) add<<<count - 1, 1024>>>(out, scratch, n);
}
