// stage: reduction/open
// says: wrong_output
// The counter of finished blocks is never put back: from the second call on no block is the last one.
#include <cuda_runtime.h>
#include <cstddef>
__device__ unsigned done;
__device__ float part[48];
__global__ void last(const float* in, size_t n, float* out) {
    float v = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += 48 * 32) v += in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x) return;
    part[blockIdx.x] = v;
    __threadfence();
    if (atomicAdd(&done, 1u) == 47) {  // <--
        __threadfence();
        v = 0;
        for (int b = 0; b < 48; ++b) v += part[b];
        *out = v;
    }
}
void reduce(const float* in, size_t n, float*, float* out) { last<<<48, 32>>>(in, n, out); }
