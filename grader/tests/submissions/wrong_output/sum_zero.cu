// stage: reduction/open
// says: wrong_output zero
// A memset is not a sum.
#include <cstddef>

#include <cuda_runtime.h>

void reduce(const float*, size_t, float*, float* out) { cudaMemset(out, 0, sizeof(float)); }
