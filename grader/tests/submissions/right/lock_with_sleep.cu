// stage: reduction/open
// A lock taken by exchange with acquire, and __nanosleep twice as long after each time in vain.
#include <cuda_runtime.h>

#include <cstddef>

__device__ unsigned lock;
__device__ double total;
__device__ unsigned arrived;

__device__ void enter() {
    unsigned wait = 8, old;
    for (;;) {
        asm volatile("atom.acquire.gpu.global.exch.b32 %0, [%1], 1;" : "=r"(old) : "l"(&lock) : "memory");
        if (old == 0) return;
        __nanosleep(wait);
        if (wait < 256) wait *= 2;
    }
}
__device__ void leave() { asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(&lock) : "memory"); }

__global__ void sleepy(const float* in, size_t n, float* out) {
    double sum = 0;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) sum += in[i];
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(~0u, sum, s);
    if (threadIdx.x % 32 != 0) return;
    const unsigned all = gridDim.x * (blockDim.x / 32);
    enter();
    total = arrived == 0 ? sum : total + sum;
    if (++arrived == all) {
        *out = float(total);
        arrived = 0;
    }
    leave();
}

void reduce(const float* in, size_t n, float*, float* out) { sleepy<<<12, 96>>>(in, n, out); }
