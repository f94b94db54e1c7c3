// stage: scan/open
// Blocks that are all there meet by dissemination: in round k each tells the block 2^k further on, by flags that count calls.
#include <cuda_runtime.h>

constexpr int BLOCKS = 16, ROUNDS = 4, THREADS = 256;

__device__ void meet(volatile unsigned* flags, unsigned generation) {
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 0; k < ROUNDS; ++k) {
            const int to = (blockIdx.x + (1 << k)) % BLOCKS;
            __threadfence();
            flags[k * BLOCKS + to] = generation;
            while (flags[k * BLOCKS + blockIdx.x] != generation) {
            }
            __threadfence();
        }
    }
    __syncthreads();
}

__device__ unsigned block_scan(unsigned v, unsigned* s, unsigned& all) {
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        const unsigned o = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += o;
        __syncthreads();
    }
    all = s[THREADS - 1];
    const unsigned r = s[threadIdx.x];
    __syncthreads();
    return r;
}

__global__ void all_at_once(const unsigned* in, unsigned* out, unsigned* sums, unsigned* flags, int n) {
    __shared__ unsigned s[THREADS];
    const int each = (n + BLOCKS - 1) / BLOCKS, first = blockIdx.x * each, end = min(first + each, n);
    unsigned sum = 0, all;
    for (int i = first + threadIdx.x; i < end; i += THREADS) sum += in[i];
    block_scan(sum, s, all);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
    meet(flags, 1);
    unsigned carry = 0;
    for (int b = 0; b < blockIdx.x; ++b) carry += sums[b];
    for (int at = first; at < end; at += THREADS) {
        const int i = at + threadIdx.x;
        const unsigned up = block_scan(i < end ? in[i] : 0, s, all);
        if (i < end) out[i] = carry + up;
        carry += all;
    }
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    cudaMemsetAsync(scratch, 0, (BLOCKS + ROUNDS * BLOCKS) * sizeof(unsigned));
    all_at_once<<<BLOCKS, THREADS>>>(in, out, scratch, scratch + BLOCKS, n);
}
