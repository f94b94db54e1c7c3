// Each of the two is small enough, and one kernel reaches both, by way of a function.
#include <cuda_runtime.h>

__device__ float kept(float value) {
    __shared__ float values[8192];
    values[threadIdx.x] = value;
    __syncthreads();
    return values[threadIdx.x];
}

__global__ void copied(const float* in, float* out, int rows, int cols) {
    __shared__ float others[8192];  // refused
    const int i = blockIdx.x * 256 + threadIdx.x;
    others[threadIdx.x] = i < rows * cols ? in[i] : 0.0f;
    __syncthreads();
    const float value = kept(others[threadIdx.x]);
    if (i < rows * cols) out[i] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
    copied<<<(rows * cols + 255) / 256, 256>>>(in, out, rows, cols);
}
