// stage: reduction/open
// says: race_global
// The lock is looked at, found free, and only then taken: two may find it free.
#include <cuda_runtime.h>
#include <cstddef>
__device__ volatile int lock;
__global__ void guarded(const float* in, size_t n, float* out) {
    float v = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) v += in[i];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) {
        while (lock == 1) {}
        lock = 1;
        __threadfence();
        *out += v;  // <--
        __threadfence();
        lock = 0;
    }
}
void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, 4);
    guarded<<<20, 32>>>(in, n, out);
}
