// stage: reduction/open
// says: race_global
// Every block adds to out[0] with atomicAdd_block(), which other blocks need not see.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void narrow_sum(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 64ull + threadIdx.x; i < n; i += gridDim.x * 64ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd_block(out, sum);  // <--
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    narrow_sum<<<16, 64>>>(in, n, out);
}
