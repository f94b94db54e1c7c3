// stage: reduction/open
// says: race_global
// The lock is taken by compare-and-swap and given back by an ordinary store.
#include <cuda_runtime.h>

#include <cstddef>

__device__ int lock;

__global__ void locked(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock, 0, 1) != 0) __nanosleep(50);
    __threadfence();
    *out += sum;
    __threadfence();
    lock = 0;  // <--
}

void reduce(const float* in, size_t n, float*, float* out) {
    cudaMemsetAsync(out, 0, sizeof(float));
    locked<<<20, 32>>>(in, n, out);
}
