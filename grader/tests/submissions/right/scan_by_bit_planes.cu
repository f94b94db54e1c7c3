// stage: scan/open
// A warp scans 32 numbers one bit at a time: a ballot for each bit, and the ones up to the lane are counted.
#include <cuda_runtime.h>

__device__ unsigned scan_of_warp(unsigned value) {
    unsigned up_to_me;
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(up_to_me));
    unsigned sum = 0;
#pragma unroll
    for (int bit = 0; bit < 32; ++bit) {
        const unsigned ones = __ballot_sync(0xffffffffu, value >> bit & 1);
        sum += unsigned(__popc(ones & up_to_me)) << bit;
    }
    return sum;
}

__device__ unsigned scan_of_block(unsigned value) {
    __shared__ unsigned of_warp[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned sum = scan_of_warp(value);
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) of_warp[lane] = scan_of_warp(of_warp[lane]);
    __syncthreads();
    const unsigned before = warp == 0 ? 0 : of_warp[warp - 1];
    __syncthreads();  // of_warp may be filled again
    return before + sum;
}

__global__ void blocks(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    const int i = blockIdx.x * 1024 + threadIdx.x;
    const unsigned sum = scan_of_block(i < n ? in[i] : 0);
    if (i < n) out[i] = sum;
    if (threadIdx.x == 1023) sums[blockIdx.x] = sum;
}

__global__ void spine(unsigned* sums, int count) {
    unsigned carry = 0;
    for (int first = 0; first < count; first += 1024) {
        const int i = first + threadIdx.x;
        const unsigned sum = scan_of_block(i < count ? sums[i] : 0) + carry;
        if (i < count) sums[i] = sum;
        __shared__ unsigned last;
        if (threadIdx.x == 1023) last = sum;
        __syncthreads();
        carry = last;
        __syncthreads();
    }
}

__global__ void carry_on(unsigned* out, const unsigned* sums, int n) {
    const int i = blockIdx.x * 1024 + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int count = (n + 1023) / 1024;
    if (count == 0) return;
    blocks<<<count, 1024>>>(in, out, scratch, n);
    if (count > 1) {
        spine<<<1, 1024>>>(scratch, count);
        carry_on<<<count, 1024>>>(out, scratch, n);
    }
}
