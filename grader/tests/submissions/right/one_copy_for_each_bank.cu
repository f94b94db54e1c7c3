// stage: histogram/open
// 32 copies of the bins, one in each bank: lane l counts in bank l, and no two lanes of a warp meet.
#include <cuda_runtime.h>

extern __shared__ unsigned bins[];  // bin b of lane l at b * 32 + l

__global__ void by_banks(const unsigned* in, unsigned* counts, int n) {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned k = threadIdx.x; k < 256 * 32; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] * 32 + lane], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x / 32; b < 256; b += blockDim.x / 32) {
        const unsigned sum = __reduce_add_sync(0xffffffff, bins[b * 32 + lane]);
        if (lane == 0 && sum != 0) atomicAdd(&counts[b], sum);
    }
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), 0);
    if (n > 0) by_banks<<<8, 512, 256 * 32 * sizeof(unsigned)>>>(in, counts, n);
}
