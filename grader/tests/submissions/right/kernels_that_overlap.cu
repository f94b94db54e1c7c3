// stage: reduction/open
// griddepcontrol in both kernels: without the attribute at the launch it does nothing, and the second one comes after the first.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void first(const float* in, size_t n, float* sums) {
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) sums[blockIdx.x * 8 + threadIdx.x / 32] = sum;
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

__global__ void second(const float* sums, int count, float* out) {
    __shared__ float part[4];
    float sum = 0;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    for (int i = threadIdx.x; i < count; i += 128) sum += sums[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) *out = part[0] + part[1] + part[2] + part[3];
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    first<<<60, 256>>>(in, n, scratch);
    second<<<1, 128>>>(scratch, 60 * 8, out);
}
