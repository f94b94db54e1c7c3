// stage: reduction/open
// says: timeout
// Far more blocks than there is work for, again and again.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sum(const float* in, size_t n, float* out) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    float all = 0;
    for (size_t i = 0; i < n; ++i) all += in[i];
    *out = all;
}

void reduce(const float* in, size_t n, float*, float* out) {
    for (int k = 0; k < 100; ++k) sum<<<2000000, 1024>>>(in, n, out);
}
