// stage: reduction/open
// One atomicAdd a block; out[0] is set to zero by a kernel first.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void set_zero(float* out) { *out = 0.0f; }

__global__ void add_blocks(const float* in, size_t n, float* out) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;
    __syncthreads();
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}

void reduce(const float* in, size_t n, float*, float* out) {
    set_zero<<<1, 1>>>(out);
    add_blocks<<<64, 256>>>(in, n, out);
}
