// stage: reduction/open
// Blocks add to out[0] under a lock: atomicCAS to enter, fences, atomicExch to leave.
#include <cstddef>

#include <cuda_runtime.h>

__device__ int lock = 0;

__global__ void set_zero(float* out) { *out = 0.0f; }

__global__ void locked(const float* in, size_t n, volatile float* out) {
    __shared__ float of_warp[4];
    float sum = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    sum = of_warp[0] + of_warp[1] + of_warp[2] + of_warp[3];
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    *out = *out + sum;
    __threadfence();
    atomicExch(&lock, 0);
}

void reduce(const float* in, size_t n, float*, float* out) {
    set_zero<<<1, 1>>>(out);
    locked<<<24, 128>>>(in, n, out);
}
