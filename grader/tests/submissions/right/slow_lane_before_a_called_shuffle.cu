// stage: reduction/open
// One lane goes through a long loop before the warp meets in a shuffle inside of a function that is not inlined.
#include <cstddef>

#include <cuda_runtime.h>

__device__ __noinline__ float warp_sum(float sum) {
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void uneven(const float* in, size_t n, float* sums) {
    const unsigned lane = threadIdx.x, blocks = gridDim.x;
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + lane; i < n; i += 32ull * blocks) sum += in[i];
    unsigned turns = 1;
    if (lane == 5 && blockIdx.x == 1)
        while (turns != 9000) turns = turns * 3 % 10007 == 0 ? 9000 : turns + 1;
    if (turns == 0) sum = 0;
    sum = warp_sum(sum);
    if (lane == 0) sums[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    uneven<<<48, 32>>>(in, n, scratch);
    uneven<<<1, 32>>>(scratch, 48, out);
}
