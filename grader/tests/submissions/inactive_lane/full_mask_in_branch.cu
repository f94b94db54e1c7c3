// stage: reduction/open
// says: inactive_lane
// The full mask inside a branch that only 8 lanes take; the others wait at the barrier behind it.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void too_many_named(const float* in, size_t n, float* sums) {
    __shared__ float of_warp[8];
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        sum = of_warp[threadIdx.x];
        for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);  // <--
        of_warp[threadIdx.x] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 32) sums[blockIdx.x] = of_warp[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    too_many_named<<<40, 256>>>(in, n, scratch);
    too_many_named<<<1, 256>>>(scratch, 40, out);
}
