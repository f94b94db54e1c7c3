// stage: reduction/open
// says: wrong_output
#include <cstddef>

#include <cuda_runtime.h>

__global__ void first(const float* in, size_t n, float* out) { *out = n == 0 ? 0.0f : in[0]; }

void reduce(const float* in, size_t n, float*, float* out) { first<<<1, 1>>>(in, n, out); }
