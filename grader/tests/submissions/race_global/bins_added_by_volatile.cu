// stage: histogram/open
// says: race_global
// Blocks add their bins to the result one after the other, by volatile += : others come in between.
#include <cuda_runtime.h>
__global__ void count(const unsigned* in, volatile unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    counts[threadIdx.x] = counts[threadIdx.x] + bins[threadIdx.x];  // <--
}
void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n) count<<<10, 256>>>(in, counts, n);
}
