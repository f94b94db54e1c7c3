// stage: histogram/open
// says: uninitialized
// The memset clears 256 bytes, which is 64 bins.
#include <cuda_runtime.h>

__global__ void count(const unsigned* in, unsigned* counts, int n) {
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&counts[in[i]], 1);  // <--
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 256);
    if (n > 0) count<<<50, 256>>>(in, counts, n);
}
