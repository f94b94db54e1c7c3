// stage: reduction/open
// Halves of a warp on ways of their own, each with __syncwarp for its own lanes and volatile memory.
#include <cstddef>

#include <cuda_runtime.h>

__device__ void tree_of_16(volatile float* part, int lane, unsigned mask) {
    for (int s = 8; s > 0; s /= 2) {
        const float other = lane + s < 16 ? part[lane + s] : 0.0f;
        __syncwarp(mask);
        part[lane] += other;
        __syncwarp(mask);
    }
}

__global__ void halves(const float* in, size_t n, float* sums) {
    __shared__ float part[2][16];
    const int half = threadIdx.x / 16, lane = threadIdx.x % 16;
    float mine = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += 32ull * gridDim.x) mine += in[i];
    part[half][lane] = mine;
    if (half == 0) {
        __syncwarp(0x0000ffffu);
        tree_of_16(part[0], lane, 0x0000ffffu);
    } else {
        __syncwarp(0xffff0000u);
        tree_of_16(part[1], lane, 0xffff0000u);
    }
    __syncwarp();
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0][0] + part[1][0];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    halves<<<160, 32>>>(in, n, scratch);
    halves<<<1, 32>>>(scratch, 160, out);
}
