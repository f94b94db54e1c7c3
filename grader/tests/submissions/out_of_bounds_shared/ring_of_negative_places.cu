// stage: reduction/open
// says: out_of_bounds_shared
// The remainder of a negative number is negative: the place before the first is no place of the ring.
#include <cuda_runtime.h>

__global__ void ring(const float* in, size_t n, float* sums) {
    __shared__ float slots[32];
    float v = 0.0f;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) v += in[i];
    slots[threadIdx.x] = v;
    __syncwarp();
    const int before = ((int)threadIdx.x - 1) % 32;
    const float other = slots[before];  // <--
    v = other;
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = v;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    ring<<<100, 32>>>(in, n, scratch);
    ring<<<1, 32>>>(scratch, 100, out);
}
