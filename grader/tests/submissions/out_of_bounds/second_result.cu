// stage: reduction/open
// says: out_of_bounds
// Stores one sum a block to out, which is a single float.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void to_out(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 32ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { to_out<<<n / 32 + 1, 32>>>(in, n, out); }
