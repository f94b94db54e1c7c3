// stage: reduction/multiple
// says: rule blocks_growth
// Eight elements a thread, but a grid that grows with n.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void eight_each(const float* in, size_t n, float* out) {
    const size_t first = blockIdx.x * 2048ull + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 8; ++k)
        if (first + k * 256 < n) sum += in[first + k * 256];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    eight_each<<<n / 2048 + 1, 256>>>(in, n, out);
}
