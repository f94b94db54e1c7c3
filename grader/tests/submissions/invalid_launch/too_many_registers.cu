// stage: reduction/open
// says: invalid_launch
// 1024 threads that keep some 96 sums each: cudaErrorLaunchOutOfResources.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 1024, SUMS = 96;

__global__ void sum(const float* in, std::size_t n, float* out) {
    float sums[SUMS];
#pragma unroll
    for (int k = 0; k < SUMS; ++k) sums[k] = 0;
    for (std::size_t first = threadIdx.x; first < n; first += THREADS * SUMS) {
#pragma unroll
        for (int k = 0; k < SUMS; ++k)
            if (first + k * THREADS < n) sums[k] += in[first + k * THREADS];
    }
    float all = 0;
#pragma unroll
    for (int k = 0; k < SUMS; ++k) all += sums[k];
    atomicAdd(out, all);
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    cudaMemset(out, 0, sizeof(float));
    sum<<<1, THREADS>>>(in, n, out);  // <--
}
