// stage: reduction/unrolled
// says: race_shared
// The last warp as it was written before Volta, without volatile and without __syncwarp().
#include <cstddef>

#include <cuda_runtime.h>

__global__ void old_style(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 512ull + tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + 256 < n ? in[i + 256] : 0.0f);
    __syncthreads();
    for (int s = 128; s > 32; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid < 32)
        for (int s = 32; s > 0; s /= 2) partial[tid] += partial[tid + s];  // <--
    if (tid == 0) atomicAdd(out, partial[0]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    old_style<<<n / 512 + 1, 256>>>(in, n, out);
}
