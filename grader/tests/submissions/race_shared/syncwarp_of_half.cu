// stage: reduction/open
// says: race_shared
// 16 lanes meet in __syncwarp(0xffff), and then read what the other half stored.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void half_meets(const float* in, size_t n, float* sums) {
    __shared__ float part[32];
    const unsigned lane = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + lane; i < n; i += gridDim.x * 32ull) sum += in[i];
    part[lane] = sum;  // <--
    if (lane < 16) {
        __syncwarp(0xffff);
        sum += part[lane + 16];  // <--
        for (int s = 8; s > 0; s /= 2) sum += __shfl_down_sync(0xffff, sum, s, 16);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    half_meets<<<60, 32>>>(in, n, scratch);
    half_meets<<<1, 32>>>(scratch, 60, out);
}
