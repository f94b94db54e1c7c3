// stage: reduction/open
// says: invalid_call
// The launcher copies the partial sums to the host and adds them up there.
#include <cuda_runtime.h>

__global__ void partial_sums(const float* in, std::size_t n, float* sums) {
    __shared__ float all[256];
    float sum = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    all[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = all[0];
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    float sums[32], total = 0;
    partial_sums<<<32, 256>>>(in, n, scratch);
    cudaMemcpy(sums, scratch, sizeof sums, cudaMemcpyDeviceToHost);  // <--
    for (int i = 0; i < 32; ++i) total += sums[i];
    cudaMemcpy(out, &total, sizeof total, cudaMemcpyHostToDevice);
}
