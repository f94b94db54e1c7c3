// stage: reduction/open
// 16 lanes shuffle, with a mask of 16, but over the width of a warp: the upper ones read lanes that take no part, and
// nobody uses what they get.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void outside(const float* in, size_t n, float* sums) {
    __shared__ float partial[32];
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncwarp();
    if (threadIdx.x < 16) {
        sum += partial[threadIdx.x + 16];
        for (int s = 8; s > 0; s /= 2) sum += __shfl_down_sync(0xffff, sum, s);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    outside<<<60, 32>>>(in, n, scratch);
    outside<<<1, 32>>>(scratch, 60, out);
}
