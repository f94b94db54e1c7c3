// stage: histogram/open
// says: wrong_output
// Bins of a byte for each thread are added up at the end only: one that was counted 256 times is 0 again.
#include <cuda_runtime.h>

__global__ void bytes(const unsigned* in, unsigned* counts, int n) {
    extern __shared__ unsigned char bins[];  // bin b of thread t at b * 64 + t
    for (int k = threadIdx.x; k < 256 * 64; k += 64) bins[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) ++bins[in[i] * 64 + threadIdx.x];
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += 64) {
        unsigned sum = 0;
        for (int t = 0; t < 64; ++t) sum += bins[b * 64 + t];
        atomicAdd(&counts[b], sum);
    }
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) bytes<<<40, 64, 256 * 64>>>(in, counts, n);
}
