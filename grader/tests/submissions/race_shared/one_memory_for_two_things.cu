// stage: scan/open
// says: race_shared
// Shared memory holds the elements first and the sums of the warps after that, and no barrier stands between.
#include <cuda_runtime.h>

__global__ void shared_twice(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ union {
        unsigned element[512];
        unsigned of_warp[16];
    } room;
    const int t = threadIdx.x, first = blockIdx.x * 512;
    room.element[511 - t] = first + 511 - t < n ? in[first + 511 - t] : 0;
    __syncthreads();
    unsigned v = room.element[t];  // <--
    for (int s = 1; s < 32; s *= 2) {
        const unsigned other = __shfl_up_sync(~0u, v, s);
        if (t % 32 >= s) v += other;
    }
    if (t % 32 == 31) room.of_warp[t / 32] = v;  // <--
    __syncthreads();
    for (int w = 0; w < t / 32; ++w) v += room.of_warp[w];
    if (first + t < n) out[first + t] = v;
    if (t == 511) sums[blockIdx.x] = v;
}

__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = (blockIdx.x + 1) * 512 + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

static void level(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n + 511) / 512;
    shared_twice<<<blocks, 512>>>(in, out, scratch, n);
    if (blocks == 1) return;
    level(scratch, scratch, scratch + blocks, blocks);
    add<<<blocks - 1, 512>>>(out, scratch, n);
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n > 0) level(in, out, scratch, n);
}
