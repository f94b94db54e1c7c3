// stage: reduction/open
// says: race_shared
// Lane 0 draws a chunk for its warp and leaves the number in shared memory; the others read it at once.
#include <cuda_runtime.h>

__device__ unsigned next;
__global__ void clear(float* out) {
    next = 0;
    *out = 0.0f;
}
__global__ void drawn(const float* in, size_t n, float* out) {
    __shared__ unsigned chunk[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float v = 0.0f;
    for (;;) {
        if (lane == 0) chunk[warp] = atomicAdd(&next, 1u);  // <--
        const size_t first = chunk[warp] * 1024ull;  // <--
        if (first >= n) break;
        for (size_t i = first + lane; i < n && i < first + 1024; i += 32) v += in[i];
        __syncwarp();
    }
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (lane == 0) atomicAdd(out, v);
}

void reduce(const float* in, size_t n, float*, float* out) {
    clear<<<1, 1>>>(out);
    drawn<<<16, 128>>>(in, n, out);
}
