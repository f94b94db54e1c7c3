// stage: reduction/open
// says: not_written
// The sum is made and stays in scratch[0].
#include <cstddef>

#include <cuda_runtime.h>

__global__ void alone(const float* in, size_t n, float* scratch) {
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) scratch[0] = sum;
}

void reduce(const float* in, size_t n, float* scratch, float*) { alone<<<1, 32>>>(in, n, scratch); }
