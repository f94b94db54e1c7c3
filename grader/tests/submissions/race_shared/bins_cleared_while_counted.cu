// stage: histogram/privatised
// says: race_shared
// No barrier between clearing the bins and counting in them.
#include <cuda_runtime.h>

__global__ void at_once(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;  // <--
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1);  // <--
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) at_once<<<20, 256>>>(in, counts, n);
}
