// stage: reduction/multiple
// says: rule blocks_growth
// One atomic addition an element, all of them to one place: right, if inexact, and not what any stage is about.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void atomics(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    if (n != 0) atomics<<<(n + 255) / 256, 256>>>(in, n, out);
}
