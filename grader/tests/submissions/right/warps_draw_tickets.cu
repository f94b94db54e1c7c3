// stage: reduction/open
// A fixed grid; a warp's lane 0 draws the next stretch of 1024 elements and tells the others by a shuffle.
#include <cuda_runtime.h>

#include <cstddef>

struct Work {
    unsigned next;
    unsigned finished;
};
__device__ Work work;

__global__ void drawn(const float* in, size_t n, float* partial, float* out) {
    const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const unsigned warps = gridDim.x * blockDim.x / 32;
    float sum = 0;
    for (;;) {
        unsigned ticket = 0;
        if (lane == 0) ticket = atomicAdd(&work.next, 1);
        ticket = __shfl_sync(0xffffffffu, ticket, 0);
        const size_t first = ticket * size_t(1024);
        if (first >= n) break;
        for (size_t i = first + lane; i < min(first + 1024, n); i += 32) sum += in[i];
    }
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    unsigned rank = 0;
    if (lane == 0) {
        partial[warp] = sum;
        __threadfence();
        rank = atomicAdd(&work.finished, 1);
        __threadfence();
    }
    __syncwarp();  // what lane 0 has seen the others may read: a shuffle alone does not order memory
    if (__shfl_sync(0xffffffffu, rank, 0) != warps - 1) return;
    // Everybody has drawn a ticket in vain by now: the next call finds both at zero.
    if (lane == 0) work = Work{0, 0};
    sum = 0;
    for (unsigned w = lane; w < warps; w += 32) sum += partial[w];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) *out = sum;
}

void reduce(const float* in, size_t n, float* scratch, float* out) { drawn<<<20, 128>>>(in, n, scratch, out); }
