// stage: scan/open
// Look-back as it was first published: sums, running sums and a state for each tile apart, ordered by fences.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 128;

__global__ void chained(const unsigned* in, unsigned* out, unsigned* scratch, int n, int tiles) {
    __shared__ unsigned number, before, of_warp[THREADS / 32];
    unsigned* const ticket = scratch;
    volatile unsigned* const state = scratch + 1;
    volatile unsigned* const own = scratch + 1 + tiles;
    volatile unsigned* const running = scratch + 1 + 2 * tiles;
    if (threadIdx.x == 0) number = atomicAdd(ticket, 1);
    __syncthreads();
    const unsigned tile = number;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t first = tile * size_t(THREADS * 4) + threadIdx.x * 4;
    unsigned v[4], sum = 0;
    for (int k = 0; k < 4; ++k) {
        sum += first + k < n ? in[first + k] : 0;
        v[k] = sum;
    }
    unsigned up = sum;
    for (int s = 1; s < 32; s *= 2) {
        const unsigned other = __shfl_up_sync(~0u, up, s);
        if (lane >= s) up += other;
    }
    if (lane == 31) of_warp[warp] = up;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (int w = 0; w < THREADS / 32; ++w) all += of_warp[w];
        own[tile] = all;
        __threadfence();
        state[tile] = 1;
        unsigned total = 0;
        for (int t = int(tile) - 1; t >= 0; --t) {
            unsigned seen;
            while ((seen = state[t]) == 0) __nanosleep(20);
            __threadfence();
            if (seen == 2) {
                total += running[t];
                break;
            }
            total += own[t];
        }
        running[tile] = total + all;
        __threadfence();
        state[tile] = 2;
        before = total;
    }
    __syncthreads();
    unsigned base = before + up - sum;
    for (int w = 0; w < warp; ++w) base += of_warp[w];
    for (int k = 0; k < 4; ++k)
        if (first + k < n) out[first + k] = base + v[k];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + THREADS * 4 - 1) / (THREADS * 4);
    cudaMemsetAsync(scratch, 0, (1 + tiles) * sizeof(unsigned));
    chained<<<tiles, THREADS>>>(in, out, scratch, n, tiles);
}
