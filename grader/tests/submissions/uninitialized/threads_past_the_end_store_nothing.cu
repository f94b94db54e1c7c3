// stage: reduction/sequential
// says: uninitialized
// The threads past the end leave their place in shared memory as it was.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void partly(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    if (i < n) partial[tid] = in[i];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (tid < s) partial[tid] += partial[tid + s];  // <--
        __syncthreads();
    }
    if (tid == 0) atomicAdd(out, partial[0]);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    partly<<<n / 256 + 1, 256>>>(in, n, out);
}
