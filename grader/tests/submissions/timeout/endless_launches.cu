// stage: reduction/open
// says: timeout
// Launches until a condition that never comes true.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void nothing(float* out) { *out = 0.0f; }

void reduce(const float*, size_t n, float*, float* out) {
    for (size_t left = n + 1; left != 0;) nothing<<<1, 1>>>(out);  // <--
}
