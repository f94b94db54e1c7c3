// stage: reduction/sequential
// says: wrong_output only_first_block
// The partial sums of the blocks are never combined.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void one_block(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0 && blockIdx.x == 0) out[0] = partial[0];
}

void reduce(const float* in, size_t n, float*, float* out) { one_block<<<n / 256 + 1, 256>>>(in, n, out); }
