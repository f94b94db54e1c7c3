// stage: reduction/open
// says: wrong_output tail_missing
// Groups of four elements, and none of the one to three after the last group.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void quads(const float* in, size_t n, float* out) {
    const size_t i = 4 * (blockIdx.x * 128ull + threadIdx.x);
    float sum = i + 3 < n ? in[i] + in[i + 1] + in[i + 2] + in[i + 3] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    quads<<<n / 512 + 1, 128>>>(in, n, out);
}
