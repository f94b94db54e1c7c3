// stage: histogram/aggregated
// match.any by hand; the lane with no other below it adds for all.
#include <cuda_runtime.h>
#include <cstddef>
__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    const unsigned lane = threadIdx.x % 32;
    unsigned below;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - int(lane) < n; i += step) {
        const bool here = i < n;
        const unsigned mask = __ballot_sync(0xffffffffu, here);
        if (here) {
            const unsigned value = __ldg(in + i);
            unsigned same;
            asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(value), "r"(mask));
            if ((same & below) == 0) atomicAdd(&bins[value], __popc(same));
        }
        __syncwarp();
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (bins[b] != 0) atomicAdd(counts + b, bins[b]);
}
void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) count<<<64, 256>>>(in, counts, n);
}
