// stage: histogram/privatised
// says: race_shared
// The bins are added to the result while other warps still count.
#include <cuda_runtime.h>

__global__ void too_soon(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1);  // <--
    if (bins[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);  // <--
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) too_soon<<<20, 256>>>(in, counts, n);
}
