// stage: reduction/open
// says: race_global
// The lanes of a warp add up through scratch, step by step, with nothing that orders them.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void in_step(const float* in, size_t n, float* scratch, float* out) {
    const unsigned lane = threadIdx.x;
    float sum = 0;
    for (size_t i = lane; i < n; i += 32) sum += in[i];
    scratch[lane] = sum;
    if (lane < 16) scratch[lane] += scratch[lane + 16];  // <--
    if (lane < 8) scratch[lane] += scratch[lane + 8];
    if (lane < 4) scratch[lane] += scratch[lane + 4];
    if (lane < 2) scratch[lane] += scratch[lane + 2];
    if (lane == 0) *out = scratch[0] + scratch[1];
}

void reduce(const float* in, size_t n, float* scratch, float* out) { in_step<<<1, 32>>>(in, n, scratch, out); }
