#include <cuda_runtime.h>

static __device__ void merge(unsigned* to, const unsigned* from) {
    unsigned* const dst = to + threadIdx.x;
    *dst = *dst + from[threadIdx.x];
}

__global__ void local_hist(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * 256 + threadIdx.x;
    while (i < n) {
        atomicAdd(mine + in[i], 1);
        i += 256 * gridDim.x;
    }
    __syncthreads();
    merge(counts, mine);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemset(counts, 0, 1024);
    if (n > 0) local_hist<<<n < 65536 ? 8 : 528, 256>>>(in, counts, n);
}
