// stage: reduction/open
// Shuffles of 8 lanes with masks that name exactly those lanes, in a branch that only they take.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void eights(const float* in, size_t n, float* sums) {
    __shared__ float partial[64];
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        for (int k = 1; k < 8; ++k) sum += partial[threadIdx.x + 8 * k];
        for (int s = 4; s > 0; s /= 2) sum += __shfl_down_sync(0xff, sum, s, 8);
        if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    eights<<<80, 64>>>(in, n, scratch);
    eights<<<1, 64>>>(scratch, 80, out);
}
