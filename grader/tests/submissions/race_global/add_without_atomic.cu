// stage: reduction/open
// says: race_global
// out[0] += sum from every block, without an atomic.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void set_zero(float* out) { *out = 0.0f; }

__global__ void plain_add(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) *out += sum;  // <--
}

void reduce(const float* in, size_t n, float*, float* out) {
    set_zero<<<1, 1>>>(out);
    plain_add<<<n / 128 + 1, 128>>>(in, n, out);
}
