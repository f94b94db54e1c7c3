// stage: reduction/open
// says: race_shared
// A function sums over the block by way of a shared array, and is called twice: the second call stores while some warps
// still read what the first one left.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float block_sum(float v) {
    __shared__ float of_warp[8];
    for (int s = 16; s > 0; s /= 2) v += __shfl_xor_sync(~0u, v, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = v;  // <--
    __syncthreads();
    v = 0;
    for (int w = 0; w < 8; ++w) v += of_warp[w];  // <--
    return v;
}

__global__ void twice(const float* in, size_t n, float* out) {
    float low = 0, high = 0;
    for (size_t i = threadIdx.x; i < n; i += 256) (i < n / 2 ? low : high) += in[i];
    const float first = block_sum(low);
    const float second = block_sum(high);
    if (threadIdx.x == 0) *out = first + second;
}

void reduce(const float* in, size_t n, float*, float* out) { twice<<<1, 256>>>(in, n, out); }
