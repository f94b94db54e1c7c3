// stage: reduction/open
// says: timeout
// Waits for a flag that no thread sets.
#include <cstddef>

#include <cuda_runtime.h>

__device__ volatile int ready = 0;

__global__ void wait(const float* in, size_t n, float* out) {
    while (ready == 0) {  // <--
    }
    *out = n == 0 ? 0.0f : in[0];
}

void reduce(const float* in, size_t n, float*, float* out) { wait<<<1, 1>>>(in, n, out); }
