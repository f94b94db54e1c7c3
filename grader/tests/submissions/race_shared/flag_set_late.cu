// stage: reduction/open
// says: race_shared
// Thread 0 sets a shared total to zero while others already add to it.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void late_zero(const float* in, size_t n, float* out) {
    __shared__ float total;
    if (threadIdx.x == 0) total = 0.0f;  // <--
    const size_t i = blockIdx.x * 128ull + threadIdx.x;
    float sum = i < n ? in[i] : 0.0f;
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, sum);  // <--
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    late_zero<<<n / 128 + 1, 128>>>(in, n, out);
}
