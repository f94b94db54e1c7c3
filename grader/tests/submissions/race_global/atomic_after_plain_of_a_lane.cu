// stage: reduction/open
// says: race_global
// One lane sets the total, and the other lanes of its warp add to it at once.
#include <cstddef>

#include <cuda_runtime.h>

__global__ void at_once(const float* in, size_t n, float* out) {
    const unsigned lane = threadIdx.x;
    float sum = 0;
    for (size_t i = lane; i < n; i += 32) sum += in[i];
    if (lane == 0) *out = sum;  // <--
    if (lane != 0) atomicAdd(out, sum);  // <--
}

void reduce(const float* in, size_t n, float*, float* out) { at_once<<<1, 32>>>(in, n, out); }
