// stage: reduction/open
// says: compiler
// Thrust does the work.
#include <cstddef>

#include <thrust/reduce.h>  // <--

#include <cuda_runtime.h>

void reduce(const float* in, size_t n, float*, float* out) { *out = thrust::reduce(in, in + n); }
