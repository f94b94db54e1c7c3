// stage: reduction/open
// Warp 1 hands its sum to warp 0 through shared memory, behind a block-wide fence and a volatile flag.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void handed_over(const float* in, size_t n, float* out) {
    __shared__ float value;
    __shared__ volatile int is_there;
    if (threadIdx.x == 0) is_there = 0;
    __syncthreads();
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 32) {
        value = sum;
        __threadfence_block();
        is_there = 1;
    }
    if (threadIdx.x == 0) {
        while (is_there == 0) {
        }
        __threadfence_block();
        *out = sum + value;
    }
}

void reduce(const float* in, size_t n, float*, float* out) { handed_over<<<1, 64>>>(in, n, out); }
