// stage: reduction/multiple
// Every warp sums by __shfl_xor_sync, so that all lanes hold the sum; then the first warp does it once more.
#include <cstddef>

#include <cuda_runtime.h>

__device__ float butterfly(float sum) {
    for (int s = 1; s < 32; s *= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void butterflies(const float* in, size_t n, float* sums) {
    __shared__ float of_warp[8];
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    sum = butterfly(sum);
    of_warp[threadIdx.x / 32] = sum;  // 32 lanes store the same value to one place
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = butterfly(threadIdx.x < 8 ? of_warp[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    butterflies<<<120, 256>>>(in, n, scratch);
    butterflies<<<1, 256>>>(scratch, 120, out);
}
