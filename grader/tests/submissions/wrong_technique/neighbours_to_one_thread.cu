// stage: reduction/first_add
// says: rule global_load_sectors_over_ideal
// Two elements a thread, but side by side: a warp's load covers twice the sectors that it needs.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void pairs(const float* in, size_t n, float* out) {
    __shared__ float partial[128];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + 2 * tid;
    partial[tid] = (i < n ? in[i] : 0.0f) + (i + 1 < n ? in[i + 1] : 0.0f);
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, partial[0]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    pairs<<<n / 256 + 1, 128>>>(in, n, out);
}
