// stage: reduction/open
// says: wrong_output grid_too_small
// The number of blocks is rounded down.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void whole_blocks(const float* in, float* out) {
    float sum = in[blockIdx.x * 128ull + threadIdx.x];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    if (n >= 128) whole_blocks<<<n / 128, 128>>>(in, out);
}
