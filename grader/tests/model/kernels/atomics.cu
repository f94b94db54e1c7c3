// Sums that end in atomic additions to one float. PER 0: one a thread, 1: one a warp, 2: one a block.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef PER
#define PER 2
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif

__global__ void zero(float* out) { out[0] = 0.0f; }

__global__ void __launch_bounds__(THREADS) add_all(const float* in, std::size_t n, float* out) {
    __shared__ float warp_sums[32];
    float sum = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * THREADS)
        sum += in[i];
#if PER == 0
    atomicAdd(out, sum);
#else
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
#if PER == 1
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
#else
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; ++w) sum += warp_sums[w];
        atomicAdd(out, sum);
    }
#endif
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    zero<<<1, 1>>>(out);
    const std::size_t needed = n == 0 ? 1 : (n - 1) / THREADS + 1;
    add_all<<<BLOCKS != 0 && BLOCKS < needed ? BLOCKS : static_cast<unsigned>(needed), THREADS>>>(in, n, out);
}
