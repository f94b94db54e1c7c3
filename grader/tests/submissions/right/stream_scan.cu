// stage: scan/open
// Blocks take their numbers from a counter, and each waits for the sum of the one before it.
#include <cuda_runtime.h>
__global__ void clear(unsigned* flags, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) flags[i] = 0;
}
__global__ void stream(const unsigned* in, unsigned* out, unsigned* scratch, int n, int tiles) {
    __shared__ unsigned bid_s, before_s, w[8];
    unsigned* counter = scratch;
    unsigned* flags = scratch + 1;
    unsigned* values = scratch + 1 + tiles + 1;
    if (threadIdx.x == 0) bid_s = atomicAdd(counter, 1);
    __syncthreads();
    const unsigned bid = bid_s;
    const long long base = bid * 1024ll + threadIdx.x * 4;
    unsigned v[4], sum = 0;
    for (int k = 0; k < 4; ++k) v[k] = sum += base + k < n ? in[base + k] : 0u;
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    unsigned s = sum;
    for (int d = 1; d < 32; d <<= 1) {
        const unsigned o = __shfl_up_sync(0xffffffffu, s, d);
        if (lane >= d) s += o;
    }
    if (lane == 31) w[warp] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (int k = 0; k < 8; ++k) {
            const unsigned t = w[k];
            w[k] = all;
            all += t;
        }
        while (atomicAdd(&flags[bid], 0) == 0) {}
        __threadfence();
        const unsigned previous = bid == 0 ? 0 : values[bid];
        values[bid + 1] = previous + all;
        __threadfence();
        atomicAdd(&flags[bid + 1], 1);
        before_s = previous;
    }
    __syncthreads();
    const unsigned mine = before_s + w[warp] + s - sum;
    for (int k = 0; k < 4; ++k)
        if (base + k < n) out[base + k] = mine + v[k];
}
__global__ void open_first(unsigned* scratch) { scratch[1] = 1; }
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int tiles = (n + 1023) / 1024;
    clear<<<32, 128>>>(scratch, 2 * tiles + 3);
    open_first<<<1, 1>>>(scratch);
    stream<<<tiles, 256>>>(in, out, scratch, n, tiles);
}
