// stage: scan/open
// says: misaligned
// The counter stands in the first word of scratch, and the states of 8 bytes right behind it.
#include <cuda_runtime.h>

using word = unsigned long long;

__global__ void chain(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    __shared__ unsigned number, before;
    word* const states = reinterpret_cast<word*>(scratch + 1);
    if (threadIdx.x == 0) number = atomicAdd(scratch, 1);
    __syncthreads();
    const int tile = number, i = tile * 32 + threadIdx.x;
    unsigned v = i < n ? in[i] : 0;
    for (int s = 1; s < 32; s *= 2) {
        const unsigned other = __shfl_up_sync(~0u, v, s);
        if (threadIdx.x >= s) v += other;
    }
    if (threadIdx.x == 31) {
        word state = 1ull << 32;
        while (tile > 0) {
            state = atomicAdd(&states[tile - 1], 0ull);
            if (state >> 32 != 0) break;
        }
        before = unsigned(state);
        atomicExch(&states[tile], 1ull << 32 | (before + v));  // <--
    }
    __syncthreads();
    if (i < n) out[i] = before + v;
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 31) / 32;
    cudaMemsetAsync(scratch, 0, (1 + 2 * tiles) * sizeof(unsigned));
    chain<<<tiles, 32>>>(in, out, scratch, n);
}
