// stage: reduction/open
// says: timeout
// The flag is raised by an atomic behind a fence, and polled by an ordinary read, which the compiler makes once.
#include <cuda_runtime.h>

#include <cstddef>

__device__ int raised;

__global__ void polled(const float* in, size_t n, float* scratch, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += 64) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 1) {
        *scratch = sum;
        __threadfence();
        atomicExch(&raised, 1);
        return;
    }
    while (raised == 0) {  // <--
    }
    __threadfence();
    *out = sum + *scratch;
    raised = 0;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { polled<<<2, 32>>>(in, n, scratch, out); }
