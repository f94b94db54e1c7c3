// stage: reduction/open
// says: wrong_output
// The width of the shuffles is 16, so that lane 0 has the sum of half of the warp.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void width(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) {
        const float other = __shfl_down_sync(~0u, sum, s, 16);
        if (threadIdx.x % 32 + s < 32) sum += other;
    }
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    width<<<16, 64>>>(in, n, out);
}
