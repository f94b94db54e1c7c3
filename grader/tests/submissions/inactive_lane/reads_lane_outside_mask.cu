// stage: reduction/open
// says: inactive_lane
// 16 lanes shuffle, with a mask of 16, and begin with a step of 16: they add what lanes say that take no part.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void outside(const float* in, size_t n, float* sums) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    if (threadIdx.x < 16) {
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffff, sum, s);  // <--
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    outside<<<60, 32>>>(in, n, scratch);
    outside<<<1, 32>>>(scratch, 60, out);
}
