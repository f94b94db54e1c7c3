// stage: reduction/open
// says: race_global
// Two warps store to one place of scratch.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void crowded(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
    scratch[threadIdx.x % 32] = sum;  // <--
    __syncthreads();
    if (threadIdx.x == 0) *out = scratch[0] + scratch[1];
}

void reduce(const float* in, size_t n, float* scratch, float* out) { crowded<<<1, 64>>>(in, n, scratch, out); }
