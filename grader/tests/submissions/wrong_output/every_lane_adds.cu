// stage: reduction/open
// says: wrong_output multiplied
// After a butterfly every lane has the sum, and every lane adds it.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void all_lanes(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
    atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    if (n != 0) all_lanes<<<(n + 255) / 256, 256>>>(in, n, out);
}
