// stage: reduction/open
// says: invalid_launch
// A grid of no blocks when n is 0; everything else is right.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void add(const float* in, size_t n, float* out) {
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    add<<<(n + 127) / 128, 128>>>(in, n, out);  // <--
}
