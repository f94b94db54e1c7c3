// stage: reduction/open
// says: race_global
// A chain of blocks: the running sum is stored, then the flag, both volatile, and no fence lies between them; the next block
// reads the sum with an ordinary load.
#include <cuda_runtime.h>

__device__ float running[64];
__device__ volatile unsigned ready[64];

__global__ void clear() { ready[threadIdx.x] = 0; }

__global__ void chain(const float* in, size_t n, float* out) {
    const unsigned b = blockIdx.x;
    double v = 0.0;
    for (size_t i = b * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) v += in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x != 0) return;
    float before = 0.0f;
    if (b > 0) {
        while (ready[b - 1] == 0) {
        }
        before = running[b - 1];  // <--
    }
    running[b] = before + (float)v;  // <--
    ready[b] = 1;
    if (b == gridDim.x - 1) *out = before + (float)v;
}

void reduce(const float* in, size_t n, float*, float* out) {
    clear<<<1, 64>>>();
    chain<<<64, 32>>>(in, n, out);
}
