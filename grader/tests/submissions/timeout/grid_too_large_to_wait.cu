// stage: reduction/open
// says: timeout
// Every block waits for all the others, but more are launched than fit on a GPU at once.
#include <cstddef>

#include <cuda_runtime.h>

__device__ unsigned arrived = 0;

__global__ void together(const float* in, size_t n, float* out) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {  // <--
    }
    if (blockIdx.x == 0) *out = n == 0 ? 0.0f : in[0];
}

void reduce(const float* in, size_t n, float*, float* out) { together<<<100000, 1>>>(in, n, out); }
