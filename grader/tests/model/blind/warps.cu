// Each thread adds up what lies a grid apart, a warp by shuffles; then one atomic addition a warp, or a block with BY_BLOCK.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif
#ifndef WIDTH
#define WIDTH 1  // floats of a load: 1, 2 or 4
#endif
#ifndef BY_BLOCK
#define BY_BLOCK 0
#endif

__device__ __forceinline__ float added(float v) { return v; }
__device__ __forceinline__ float added(float2 v) { return v.x + v.y; }
__device__ __forceinline__ float added(float4 v) { return (v.x + v.y) + (v.z + v.w); }
#if WIDTH == 4
using Loaded = float4;
#elif WIDTH == 2
using Loaded = float2;
#else
using Loaded = float;
#endif

__global__ void __launch_bounds__(THREADS) add_up(const float* in, std::size_t n, float* out) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x, stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    float sum = 0.0f;
    for (std::size_t i = first; i < n / WIDTH; i += stride) sum += added(reinterpret_cast<const Loaded*>(in)[i]);
    if (first < n % WIDTH) sum += in[n - 1 - first];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, s);
#if BY_BLOCK
    __shared__ float sums[THREADS / 32];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < THREADS / 32; ++w) sum += sums[w];
    atomicAdd(out, sum);
#else
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
#endif
}

void reduce(const float* in, std::size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float), 0);
    add_up<<<BLOCKS, THREADS>>>(in, n, out);
}
