// stage: reduction/open
// Every array starts where its alignas says, in a function that is called, too: the last bits of the address are 0.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ char odd;
__device__ alignas(256) float sums[2];

__device__ __noinline__ unsigned bits_of(const volatile void* place, unsigned align) {
    return static_cast<unsigned>(reinterpret_cast<uintptr_t>(place)) & (align - 1);
}

__device__ __noinline__ unsigned bits_of_local(int i) {
    alignas(128) volatile int own[32];
    own[i & 31] = i;
    return bits_of(own, 128) + static_cast<unsigned>(own[i & 31] != i);
}

__global__ void sum_of_all(const float* in, size_t n, float* out) {
    volatile int before[3];
    before[threadIdx.x % 3] = 1;
    const unsigned wrong = bits_of(sums, 256) + bits_of_local(static_cast<int>(threadIdx.x)) +
                           bits_of(&odd, 1) + static_cast<unsigned>(before[threadIdx.x % 3] != 1);
    if (wrong != 0) return;
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 32) sum += in[i];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x == 0) sums[1] = sum;
    if (threadIdx.x == 0) *out = sums[1];
}

void reduce(const float* in, size_t n, float*, float* out) { sum_of_all<<<1, 32>>>(in, n, out); }
