// stage: reduction/open
// says: timeout
// Block 0 waits for block 1, and block 1 for block 0.
#include <cstddef>

#include <cuda_runtime.h>

__device__ int flags[2] = {0, 0};

__global__ void polite(const float* in, size_t n, float* out) {
    const int me = blockIdx.x;
    while (atomicAdd(&flags[1 - me], 0) == 0) {  // <--
    }
    atomicExch(&flags[me], 1);
    if (me == 0) *out = n == 0 ? 0.0f : in[0];
}

void reduce(const float* in, size_t n, float*, float* out) { polite<<<2, 1>>>(in, n, out); }
