// stage: reduction/open
// says: out_of_bounds
// The pointer handed to the second kernel was never set.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void store(float* to, const float* in, size_t n) { *to = n == 0 ? 0.0f : in[0]; }  // <--

void reduce(const float* in, size_t n, float*, float*) {
    float* result = nullptr;
    store<<<1, 1>>>(result, in, n);
}
