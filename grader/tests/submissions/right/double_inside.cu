// stage: reduction/open
// Sums in double throughout, rounded once at the end; the scratch holds doubles.
#include <cstddef>

#include <cuda_runtime.h>

__device__ double block_sum(double sum) {
    __shared__ double partial[128];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    return partial[0];
}

__global__ void first(const float* in, size_t n, double* sums) {
    double sum = 0;
    for (size_t i = blockIdx.x * 128ull + threadIdx.x; i < n; i += gridDim.x * 128ull) sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void second(const double* sums, float* out) {
    const double sum = block_sum(sums[threadIdx.x]);
    if (threadIdx.x == 0) *out = static_cast<float>(sum);
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    // The scratch starts at a multiple of 4 bytes; doubles want 8.
    double* sums = reinterpret_cast<double*>((reinterpret_cast<size_t>(scratch) + 7) / 8 * 8);
    first<<<128, 128>>>(in, n, sums);
    second<<<1, 128>>>(sums, out);
}
