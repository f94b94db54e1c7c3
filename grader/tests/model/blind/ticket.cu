// One launch: the block that is last to leave its sum adds up the sums of all. EACH loads of a thread are under way together.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef EACH
#define EACH 8
#endif

__device__ __forceinline__ float of_block(float sum) {
    __shared__ float sums[32];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : 0.0f;
    if (threadIdx.x < 32)
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    return sum;
}

__global__ void __launch_bounds__(THREADS) with_ticket(const float* in, std::size_t n, unsigned* taken, float* sums, float* out) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * THREADS * EACH + threadIdx.x;
    float loaded[EACH], sum = 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; ++k) loaded[k] = first + k * THREADS < n ? in[first + k * THREADS] : 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; ++k) sum += loaded[k];
    sum = of_block(sum);
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        is_last = atomicAdd(taken, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    sum = 0.0f;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS) sum += sums[i];
    __syncthreads();
    sum = of_block(sum);
    if (threadIdx.x == 0) *out = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    const std::size_t blocks = n == 0 ? 1 : (n - 1) / (THREADS * EACH) + 1;
    cudaMemsetAsync(scratch, 0, sizeof(unsigned), 0);
    with_ticket<<<static_cast<unsigned>(blocks), THREADS>>>(in, n, reinterpret_cast<unsigned*>(scratch), scratch + 1, out);
}
