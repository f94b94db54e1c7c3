// stage: reduction/open
// says: barrier_divergence
// Each warp draws its own pieces and meets the others at a barrier in the loop, as often as it has drawn.
#include <cuda_runtime.h>
#include <cstddef>

__global__ void zero(float* out, unsigned* next) { *out = 0; *next = 0; }
__global__ void warps(const float* in, size_t n, unsigned* next, float* out) {
    __shared__ float sums[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (;;) {
        unsigned t = 0;
        if (lane == 0) t = atomicAdd(next, 1u);
        t = __shfl_sync(~0u, t, 0);
        if (t * size_t(256) >= n) break;
        float sum = 0;
        for (size_t i = t * size_t(256) + lane; i < n && i < (t + 1) * size_t(256); i += 32) sum += in[i];
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
        if (lane == 0) sums[warp] = sum;
        __syncthreads();  // <--
        if (lane == 0) atomicAdd(out, sums[warp]);
    }
    __syncthreads();
}
void reduce(const float* in, size_t n, float* scratch, float* out) { zero<<<1, 1>>>(out, (unsigned*)scratch); warps<<<3, 128>>>(in, n, (unsigned*)scratch, out); }
