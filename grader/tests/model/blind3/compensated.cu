// Each thread keeps what its additions lose (Kahan) and goes on by the grid; the blocks' sums are added by one block.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1024
#endif
#ifndef PLAIN
#define PLAIN 0
#endif

__global__ void compensate(const float* in, std::size_t n, float* sums) {
    __shared__ float held[THREADS];
    float sum = 0.0f, lost = 0.0f;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n;
         i += static_cast<std::size_t>(gridDim.x) * THREADS) {
#if PLAIN
        sum += in[i];
#else
        const float y = in[i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
#endif
    }
    held[threadIdx.x] = sum - lost;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) held[threadIdx.x] += held[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = held[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    compensate<<<BLOCKS, THREADS>>>(in, n, scratch);
    compensate<<<1, THREADS>>>(scratch, BLOCKS, out);
}
