// stage: reduction/open
// says: wrong_output
// The sum is infinite, whatever the input: what is known of the outputs does not hang on what is counted.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void infinite(float* out) { *out = __int_as_float(0x7f800000); }

void reduce(const float*, std::size_t, float*, float* out) { infinite<<<1, 1>>>(out); }
