// stage: reduction/open
// says: race_global
// The last block adds the others' sums, but the fence before the counter is only as wide as a block.
#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned finished = 0;

__global__ void narrow_fence(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    scratch[blockIdx.x] = sum;  // <--
    __threadfence_block();
    if (atomicInc(&finished, gridDim.x - 1) != gridDim.x - 1) return;
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];  // <--
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { narrow_fence<<<40, 32>>>(in, n, scratch, out); }
