// stage: reduction/open
// says: race_global
// A volatile flag says that a block has stored its sum, but no fence keeps the store before the flag.
#include <cstddef>

#include <cuda_runtime.h>

__device__ volatile int is_stored[8];

__global__ void hasty(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x != 0) {
        scratch[blockIdx.x] = sum;  // <--
        is_stored[blockIdx.x] = 1;
        return;
    }
    for (unsigned b = 1; b < gridDim.x; ++b) {
        while (is_stored[b] == 0) {
        }
        is_stored[b] = 0;
        sum += scratch[b];  // <--
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { hasty<<<8, 32>>>(in, n, scratch, out); }
