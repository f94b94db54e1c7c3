// stage: reduction/open
// The warps of a block add to a shared total one after the other, under a lock with block-wide fences.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void locked(const float* in, size_t n, float* sums) {
    __shared__ int lock;
    __shared__ float total;
    if (threadIdx.x == 0) {
        lock = 0;
        total = 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        total += sum;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    locked<<<32, 128>>>(in, n, scratch);
    locked<<<1, 128>>>(scratch, 32, out);
}
