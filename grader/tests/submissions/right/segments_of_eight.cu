// stage: scan/warp_shuffles
// Shuffles of width 8: four segments scan in one warp, and 16 threads by 16 make the block.
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned scan_eight(unsigned v, int lane) {
#pragma unroll
    for (int s = 1; s < 8; s <<= 1) {
        const unsigned other = __shfl_up_sync(0xffffffffu, v, s, 8);
        v += lane % 8 >= s ? other : 0u;
    }
    return v;
}

__global__ void segments(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned first_level[64], second_level[8];
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    const int i = blockIdx.x * 512 + t;
    unsigned v = scan_eight(i < n ? in[i] : 0, t);
    if (t % 8 == 7) first_level[t / 8] = v;
    __syncthreads();
    if (t < 64) {
        const unsigned u = scan_eight(first_level[t], t);
        first_level[t] = u;
        if (t % 8 == 7) second_level[t / 8] = u;
    }
    __syncthreads();
    if (t < 32) {
        const unsigned u = scan_eight(t < 8 ? second_level[t] : 0, t);
        if (t < 8) second_level[t] = u;
    }
    __syncthreads();
    if (t >= 64) v += second_level[t / 64 - 1];
    if (t / 8 % 8 > 0) v += first_level[t / 8 - 1];
    if (i < n) out[i] = v;
    if (t == 511) sums[blockIdx.x] = v;
}

__global__ void add_before(const unsigned* sums, unsigned* out, int n) {
    const int i = (blockIdx.x + 1) * 512 + threadIdx.y * blockDim.x + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n <= 0) return;
    // From the elements up to a level of one block, and down again.
    struct Level { const unsigned* in; unsigned *out, *sums; int n, blocks; } levels[4];
    int count = 0;
    for (;;) {
        const int blocks = (n + 511) / 512;
        levels[count++] = {in, out, scratch, n, blocks};
        segments<<<blocks, dim3(16, 32)>>>(in, out, scratch, n);
        if (blocks == 1) break;
        in = out = scratch;
        n = blocks;
        scratch += blocks;
    }
    while (--count >= 0)
        if (levels[count].blocks > 1)
            add_before<<<levels[count].blocks - 1, dim3(16, 32)>>>(levels[count].sums, levels[count].out, levels[count].n);
}
