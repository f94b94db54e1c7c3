// stage: reduction/open
// The sums of 8 warps are added by 8 threads, with a mask of them: the upper steps read lanes outside, for nothing.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void eight(const float* in, size_t n, float* sums) {
    __shared__ float of_warp[8];
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        float v = of_warp[threadIdx.x];
        for (int s = 4; s > 0; s /= 2) v += __shfl_down_sync(0xff, v, s);
        if (threadIdx.x == 0) sums[blockIdx.x] = v;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    eight<<<40, 256>>>(in, n, scratch);
    eight<<<1, 256>>>(scratch, 40, out);
}
