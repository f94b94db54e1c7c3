// stage: histogram/open
// says: uninitialized
// 128 threads clear a bin each, and there are 256.
#include <cuda_runtime.h>

__global__ void half_cleared(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) atomicAdd(&bins[in[i]], 1);  // <--
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += 128) atomicAdd(&counts[b], bins[b]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) half_cleared<<<20, 128>>>(in, counts, n);
}
