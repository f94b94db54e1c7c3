// stage: reduction/open
// says: out_of_bounds
// One partial sum for every 4 elements: more than n / 32 + 4096 floats of scratch.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void fours(const float* in, size_t n, float* scratch) {
    const size_t i = blockIdx.x * 256ull + threadIdx.x;
    float sum = 0;
    for (size_t k = 4 * i; k < 4 * i + 4 && k < n; ++k) sum += in[k];
    if (4 * i < n) scratch[i] = sum;  // <--
}

__global__ void add_up(const float* sums, size_t n, float* out) {
    float sum = 0;
    for (size_t i = 0; i < n; ++i) sum += sums[i];
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    fours<<<n / 1024 + 1, 256>>>(in, n, scratch);
    add_up<<<1, 1>>>(scratch, (n + 3) / 4, out);
}
