// stage: reduction/open
// One thread adds everything, in double. Slow, and right.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void alone(const float* in, size_t n, float* out) {
    double sum = 0;
    for (size_t i = 0; i < n; ++i) sum += in[i];
    *out = static_cast<float>(sum);
}

void reduce(const float* in, size_t n, float*, float* out) { alone<<<1, 1>>>(in, n, out); }
