// stage: reduction/open
// says: race_global
// Every block stores its own sum to out[0].
#include <cstddef>

#include <cuda_runtime.h>

__global__ void everyone(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 32ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out = sum;  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { everyone<<<n / 32 + 1, 32>>>(in, n, out); }
