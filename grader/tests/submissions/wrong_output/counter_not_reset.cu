// stage: reduction/open
// says: wrong_output
// The total is kept in a __device__ variable that is never set back.
#include <cstddef>

#include <cuda_runtime.h>

__device__ float total = 0.0f;

__global__ void add(const float* in, size_t n) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
}

__global__ void store(float* out) { *out = total; }

void reduce(const float* in, size_t n, float*, float* out) {
    add<<<n / 128 + 1, 128>>>(in, n);
    store<<<1, 1>>>(out);
}
