// stage: reduction/open
// says: race_global
// A lock round the total, but no fence keeps the total's reads and writes between taking it and leaving it.
#include <cstddef>

#include <cuda_runtime.h>

__device__ int lock = 0;

__global__ void set_zero(float* out) { *out = 0.0f; }

__global__ void locked(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    *out += sum;  // <--
    atomicExch(&lock, 0);
}

void reduce(const float* in, size_t n, float*, float* out) {
    set_zero<<<1, 1>>>(out);
    locked<<<24, 32>>>(in, n, out);
}
