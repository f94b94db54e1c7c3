// stage: reduction/open
// Every thread leaves its sum in scratch, and a single thread adds the 4096 one after another: a long chain of
// roundings, but every one of them honest.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sums(const float* in, size_t n, float* scratch) {
    const size_t thread = blockIdx.x * 256ull + threadIdx.x;
    float sum = 0;
    for (size_t i = thread; i < n; i += 4096) sum += in[i];
    scratch[thread] = sum;
}

__global__ void sum_of_sums(const float* scratch, float* out) {
    float sum = 0;
    for (int i = 0; i < 4096; ++i) sum += scratch[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    sums<<<16, 256>>>(in, n, scratch);
    sum_of_sums<<<1, 1>>>(scratch, out);
}
