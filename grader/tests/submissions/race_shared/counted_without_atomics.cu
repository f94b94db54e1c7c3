// stage: histogram/open
// says: race_shared
// Bins for each warp, and within a warp lanes with one value overwrite each other's counts.
#include <cuda_runtime.h>

__global__ void plain(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[4][256];
    for (int k = threadIdx.x; k < 1024; k += 128) bins[k / 256][k % 256] = 0;
    __syncthreads();
    unsigned* const mine = bins[threadIdx.x / 32];
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) mine[in[i]]++;  // <--
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += 128) atomicAdd(&counts[b], bins[0][b] + bins[1][b] + bins[2][b] + bins[3][b]);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n > 0) plain<<<20, 128>>>(in, counts, n);
}
