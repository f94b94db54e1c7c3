// stage: histogram/open
// A lock for each sixteen bins: looked at by a volatile load, taken by compare-and-swap, fences inside, released by atomicExch.
#include <cuda_runtime.h>

__device__ int locks[16];

__global__ void guarded(const unsigned* in, unsigned* counts, int n) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    if (threadIdx.x >= 32 || threadIdx.x % 32 != 0) return;
    for (int g = 0; g < 16; ++g) {
        const int which = (g + blockIdx.x) % 16;
        for (;;) {
            while (*(volatile int*)&locks[which] != 0) __nanosleep(20);
            if (atomicCAS(&locks[which], 0, 1) == 0) break;
        }
        __threadfence();
        for (int k = 0; k < 16; ++k) counts[which * 16 + k] += bins[which * 16 + k];
        __threadfence();
        atomicExch(&locks[which], 0);
    }
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, 1024);
    if (n) guarded<<<18, 256>>>(in, counts, n);
}
