// stage: reduction/sequential
// says: wrong_output
// The tree ends one step too early: elements at odd places are left out.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void one_step_short(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 1; s /= 2) {  // <--
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, partial[0]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    one_step_short<<<n / 256 + 1, 256>>>(in, n, out);
}
