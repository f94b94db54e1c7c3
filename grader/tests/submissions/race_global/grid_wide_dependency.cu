// stage: reduction/open
// says: race_global
// Block 0 adds what the other blocks store in the same launch, with nothing but a block barrier between.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void hopeful(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) scratch[blockIdx.x] = sum;  // <--
    __syncthreads();
    if (blockIdx.x != gridDim.x - 1 || threadIdx.x != 0) return;
    sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += scratch[b];  // <--
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { hopeful<<<40, 32>>>(in, n, scratch, out); }
