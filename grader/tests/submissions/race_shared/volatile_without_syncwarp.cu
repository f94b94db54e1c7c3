// stage: reduction/unrolled
// says: race_shared
// The last warp through volatile alone, as it was right until Volta: a warning at least.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void volatile_only(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 512ull + tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (int s = 128; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float* p = partial;
        for (int s = 32; s > 0; s /= 2) p[tid] += p[tid + s];  // <--
    }
    if (tid == 0) atomicAdd(out, partial[0]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    volatile_only<<<n / 512 + 1, 256>>>(in, n, out);
}
