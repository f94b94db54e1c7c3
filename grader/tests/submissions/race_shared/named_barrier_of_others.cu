// stage: reduction/open
// says: race_shared
// Warps 0 and 1 meet at a barrier of 64 threads, and then read what warp 2 has stored, which did not take part.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void two_of_three(const float* in, size_t n, float* out) {
    __shared__ float of_warp[3];
    const unsigned warp = threadIdx.x / 32;
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 96) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[warp] = sum;  // <--
    if (warp < 2) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0) *out = of_warp[0] + of_warp[1] + of_warp[2];  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { two_of_three<<<1, 96>>>(in, n, out); }
