// stage: reduction/open
// says: launcher_parameters
// n is an int.
#include <cuda_runtime.h>

__global__ void first(const float* in, int n, float* out) { *out = n == 0 ? 0.0f : in[0]; }

void reduce(const float* in, int n, float*, float* out) { first<<<1, 1>>>(in, n, out); }  // <--
