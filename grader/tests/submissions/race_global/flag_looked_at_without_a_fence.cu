// stage: reduction/open
// says: race_global
// The flag is set after a fence, and nothing orders the reading of the sum after the reading of the flag.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int BLOCKS = 16;

__global__ void flagged(const float* in, size_t n, float* scratch, volatile int* is_ready, float* out) {
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
        sum += scratch[b];  // <--
    }
    *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    cudaMemsetAsync(scratch + 64, 0, BLOCKS * sizeof(int));
    flagged<<<BLOCKS, 32>>>(in, n, scratch, (volatile int*)(scratch + 64), out);
}
