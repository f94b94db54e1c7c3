// stage: reduction/open
// The launcher asks for the address of a __device__ array, and hands that on.
#include <cstddef>

#include <cuda_runtime.h>

__device__ float partial[64];

__global__ void sums(const float* in, size_t n, float* to) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0) to[blockIdx.x] = sum;
}

void reduce(const float* in, size_t n, float*, float* out) {
    void* place = nullptr;
    cudaGetSymbolAddress(&place, partial);
    float* const to = static_cast<float*>(place);
    sums<<<64, 32>>>(in, n, to);
    sums<<<1, 32>>>(to, 64, out);
}
