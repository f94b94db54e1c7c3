// stage: scan/open
// A barrier of the grid with a sense that turns; the last to come resets the count and turns it; others look at a volatile word.
#include <cuda_runtime.h>

constexpr int BLOCKS = 24, T = 128;
__device__ unsigned count;
__device__ volatile unsigned sense;
__device__ unsigned sums[BLOCKS], offsets[BLOCKS];

__device__ void grid_sync() {
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned mine = sense;
        __threadfence();
        if (atomicAdd(&count, 1u) == BLOCKS - 1) {
            count = 0;
            __threadfence();
            sense = mine ^ 1;
        } else {
            while (sense == mine) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void steps(const unsigned* in, unsigned* out, int n) {
    __shared__ unsigned s[T];
    const int each = (n + BLOCKS - 1) / BLOCKS, first = blockIdx.x * each, end = min(first + each, n), t = threadIdx.x;
    const int per = (each + T - 1) / T;
    unsigned sum = 0;
    for (int k = 0; k < per; ++k)
        if (first + t * per + k < end) sum += in[first + t * per + k];
    s[t] = sum;
    __syncthreads();
    for (int d = 1; d < T; d <<= 1) {
        const unsigned o = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += o;
        __syncthreads();
    }
    if (t == T - 1) sums[blockIdx.x] = s[t];
    grid_sync();
    if (blockIdx.x == 0 && t == 0) {
        unsigned before = 0;
        for (int b = 0; b < BLOCKS; ++b) {
            offsets[b] = before;
            before += sums[b];
        }
    }
    grid_sync();
    unsigned run = offsets[blockIdx.x] + s[t] - sum;
    for (int k = 0; k < per; ++k) {
        const int i = first + t * per + k;
        if (i < end) out[i] = run += in[i];
    }
}

void scan(const unsigned* in, unsigned* out, unsigned*, int n) {
    if (n) steps<<<BLOCKS, T>>>(in, out, n);
}
