// Sums by a fixed grid that walks over the input, EACH loads of a VECTOR in flight, then shuffles.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef VECTOR
#define VECTOR float
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef FIRST_PASS
#define FIRST_PASS 0
#endif
#ifndef CHUNK
#define CHUNK 0  // 1: a thread sums floats that lie side by side, so lanes are far apart
#endif

__device__ static float add_up(float v) { return v; }
__device__ static float add_up(float2 v) { return v.x + v.y; }
__device__ static float add_up(float4 v) { return (v.x + v.y) + (v.z + v.w); }

__global__ void __launch_bounds__(THREADS) walk(const float* in, std::size_t n, float* sums) {
    __shared__ float warp_sums[32];
    const VECTOR* const body = reinterpret_cast<const VECTOR*>(in);
    const std::size_t count = n / (sizeof(VECTOR) / 4);
    const std::size_t threads = static_cast<std::size_t>(gridDim.x) * THREADS;
    const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x;
    float sum = 0.0f;
#if CHUNK
    const std::size_t length = (count - 1) / threads + 1;
    const std::size_t first = thread * length, last = first + length < count ? first + length : count;
    for (std::size_t i = first; i < last; ++i) sum += add_up(body[i]);
#else
    std::size_t i = thread;
    float lane_sums[EACH] = {};
    for (; i + (EACH - 1) * threads < count; i += EACH * threads) {
        VECTOR held[EACH];
        for (int k = 0; k < EACH; ++k) held[k] = body[i + k * threads];
        for (int k = 0; k < EACH; ++k) lane_sums[k] += add_up(held[k]);
    }
    for (; i < count; i += threads) sum += add_up(body[i]);
    for (int k = 0; k < EACH; ++k) sum += lane_sums[k];
#endif
    const std::size_t tail = count * (sizeof(VECTOR) / 4) + thread;
    if (tail < n) sum += in[tail];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < THREADS / 32 ? warp_sums[threadIdx.x] : 0.0f;
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

__global__ void __launch_bounds__(THREADS) finish(const float* sums, int count, float* out) {
    __shared__ float partial[THREADS];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += THREADS) sum += sums[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[0] = partial[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    walk<<<BLOCKS, THREADS>>>(in, n, scratch);
    if (!FIRST_PASS) finish<<<1, THREADS>>>(scratch, BLOCKS, out);
}
