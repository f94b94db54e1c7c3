// stage: reduction/open
// says: compiler
// A constant that was never written down.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void sum(const float* in, size_t n, float* out) {
    __shared__ float partial[THREADS];  // <--
    partial[threadIdx.x] = in[0];
    *out = partial[0];
}

void reduce(const float* in, size_t n, float*, float* out) { sum<<<1, 32>>>(in, n, out); }
