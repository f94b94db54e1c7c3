// stage: reduction/open
// says: wrong_output only_one_block
// Only the last block stores its sum.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void last_only(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];
        __syncthreads();
    }
    if (tid == 0 && blockIdx.x == gridDim.x - 1) out[0] = partial[0];
}

void reduce(const float* in, size_t n, float*, float* out) { last_only<<<n ? (n + 255) / 256 : 1, 256>>>(in, n, out); }
