// stage: reduction/open
// says: race_global
// Flags behind fences, and nobody takes them down: from the second call on block 0 does not wait for anything.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCKS = 16;
__device__ volatile int is_ready[BLOCKS];

__global__ void flagged(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += BLOCKS * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        scratch[blockIdx.x] = sum;  // <--
        __threadfence();
        is_ready[blockIdx.x] = 1;
        return;
    }
    for (int b = 1; b < BLOCKS; ++b) {
        while (is_ready[b] == 0) {
        }
        __threadfence();
        sum += scratch[b];  // <--
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { flagged<<<BLOCKS, 32>>>(in, n, scratch, out); }
