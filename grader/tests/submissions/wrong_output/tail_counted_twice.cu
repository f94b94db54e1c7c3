// stage: reduction/open
// says: wrong_output tail_twice
// The elements after the last whole block are added by two threads.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void tail_twice(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    if (n >= 128 && i < n % 128) sum += in[n / 128 * 128 + i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    tail_twice<<<n / 128 + 1, 128>>>(in, n, out);
}
