// stage: reduction/open
// says: wrong_output
// The sum is kept in a __device__ variable and handed out again on later calls: right only the first time.
#include <cstddef>

#include <cuda_runtime.h>

__device__ float cached;
__device__ bool has_cached = false;

__global__ void sum_once(const float* in, size_t n, float* out) {
    if (!has_cached) {
        double sum = 0;
        for (size_t i = 0; i < n; ++i) sum += in[i];
        cached = static_cast<float>(sum);
        has_cached = true;
    }
    *out = cached;
}

void reduce(const float* in, size_t n, float*, float* out) { sum_once<<<1, 1>>>(in, n, out); }
