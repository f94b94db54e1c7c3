// stage: reduction/open
// says: inactive_lane
// The threads past the end return before the shuffles count on them.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void gone(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    if (i >= n) return;
    float sum = in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);  // <--
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    gone<<<n / 128 + 1, 128>>>(in, n, out);
}
