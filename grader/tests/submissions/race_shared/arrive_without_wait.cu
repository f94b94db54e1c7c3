// stage: reduction/open
// says: race_shared
// Warp 0 tells the others that it is there, but does not wait for what they store.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void too_early(const float* in, size_t n, float* out) {
    __shared__ float of_warp[2];
    const unsigned warp = threadIdx.x / 32;
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) of_warp[warp] = sum;  // <--
    if (warp == 0)
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 32) *out = of_warp[0] + of_warp[1];
    if (threadIdx.x == 0 && of_warp[1] == 12345.0f) *out = 0;  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { too_early<<<1, 64>>>(in, n, out); }
