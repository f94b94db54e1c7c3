// stage: histogram/open
// Two bins of 16 bits in a word, taken out by atomicExch().
#include <cuda_runtime.h>
__global__ void count(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned packed[128];
    if (threadIdx.x < 128) packed[threadIdx.x] = 0;
    __syncthreads();
    const int per = 16384;
    for (int first = blockIdx.x * per; first < n; first += gridDim.x * per) {
        const int end = min(n, first + per);
        for (int i = first + threadIdx.x; i < end; i += blockDim.x) {
            const unsigned v = in[i];
            atomicAdd(&packed[v >> 1], v & 1 ? 1u << 16 : 1u);
        }
        __syncthreads();
        if (threadIdx.x < 128) {
            const unsigned both = atomicExch(&packed[threadIdx.x], 0u);
            if (both & 0xffff) atomicAdd(&counts[2 * threadIdx.x], both & 0xffff);
            if (both >> 16) atomicAdd(&counts[2 * threadIdx.x + 1], both >> 16);
        }
        __syncthreads();
    }
}
void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n) count<<<66, 256>>>(in, counts, n);
}
