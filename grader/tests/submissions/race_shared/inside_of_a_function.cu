// stage: reduction/sequential
// says: race_shared
// A tree in a function, and no barrier between its steps.
#include <cstddef>

#include <cuda_runtime.h>

__device__ float sum_of_block(float* partial, int tid) {
    for (int s = 128; s > 0; s /= 2)
        if (tid < s) partial[tid] += partial[tid + s];  // <--
    return partial[0];
}

__global__ void sums(const float* in, size_t n, float* out) {
    __shared__ float partial[256];
    const int tid = threadIdx.x;
    const size_t i = blockIdx.x * 256ull + tid;
    partial[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    const float sum = sum_of_block(partial, tid);
    if (tid == 0) atomicAdd(out, sum);
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    sums<<<n / 256 + 1, 256>>>(in, n, out);
}
