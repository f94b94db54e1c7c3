// stage: reduction/open
// says: wrong_output first_load_missing
// The first addition replaces the first element.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void second_half(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    sum = i + 128 < n ? in[i + 128] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    second_half<<<n / 256 + 1, 128>>>(in, n, out);
}
