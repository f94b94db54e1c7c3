// float4s in a grid of fixed size, TIMES of them a turn; four sums a thread are kept to the end.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 512
#endif
#ifndef BLOCKS
#define BLOCKS 528
#endif
#ifndef TIMES
#define TIMES 2
#endif

__device__ float of_block(float sum) {
    __shared__ float warps[32];
    for (int s = 16; s != 0; s >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0.0f;
    for (int s = 16; s != 0; s >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, s);
    return sum;
}

__global__ void __launch_bounds__(THREADS) four_sums(const float* __restrict__ in, std::size_t n, float* sums) {
    const float4* fours = reinterpret_cast<const float4*>(in);
    const std::size_t quads = n / 4, step = static_cast<std::size_t>(gridDim.x) * THREADS;
    float4 sum = make_float4(0, 0, 0, 0);
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < quads; i += TIMES * step)
#pragma unroll
        for (int k = 0; k < TIMES; ++k)
            if (i + k * step < quads) {
                const float4 v = fours[i + k * step];
                sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
            }
    float all = (sum.x + sum.y) + (sum.z + sum.w);
    if (blockIdx.x == 0 && threadIdx.x < n % 4) all += in[quads * 4 + threadIdx.x];
    all = of_block(all);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    four_sums<<<BLOCKS, THREADS>>>(in, n, scratch);
    four_sums<<<1, THREADS>>>(scratch, BLOCKS, out);
}
