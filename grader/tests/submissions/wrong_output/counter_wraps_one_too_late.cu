// stage: reduction/open
// says: wrong_output
// atomicInc wraps at gridDim.x in place of gridDim.x - 1: the counter is one too high in the next call, and the last block
// is the last but one.
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned done;
__device__ float total;

__global__ void late(const float* in, size_t n, float* out) {
    __shared__ float part[2];
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    atomicAdd(&total, part[0] + part[1]);
    __threadfence();
    if (atomicInc(&done, gridDim.x) == gridDim.x - 1) *out = atomicExch(&total, 0.0f);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    late<<<20, 64>>>(in, n, out);
}
