// stage: reduction/open
// says: race_global
// Blocks count themselves with an atomic that is atomic within a block only.
#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned finished = 0;

__global__ void narrow_atomic(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    scratch[blockIdx.x] = sum;
    __threadfence();
    if (atomicAdd_block(&finished, 1) != gridDim.x - 1) return;  // <--
    __threadfence();
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];
    *out = sum;
    finished = 0;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { narrow_atomic<<<40, 32>>>(in, n, scratch, out); }
