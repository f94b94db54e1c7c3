// stage: reduction/open
// The full mask where the other lanes of the warp have returned: these are not waited for, and lane 0 uses no value of
// theirs.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sums_of_blocks(const float* in, size_t n, float* sums) {
    __shared__ float of_warp[8];
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        sum = of_warp[threadIdx.x];
        for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sums_of_blocks<<<40, 256>>>(in, n, scratch);
    sums_of_blocks<<<1, 256>>>(scratch, 40, out);
}
