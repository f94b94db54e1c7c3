// stage: reduction/open
// says: race_global
// One warp sets the total to zero while the other warp of the block may already add to it.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void late_zero(const float* in, size_t n, float* out) {
    if (threadIdx.x == 0) *out = 0.0f;  // <--
    float sum = 0;
    for (size_t i = threadIdx.x; i < n; i += 64) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { late_zero<<<1, 64>>>(in, n, out); }
