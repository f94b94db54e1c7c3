#include <cuda_runtime.h>
#include <cstddef>

constexpr int B = 1024;

__global__ void scan_block(const unsigned* in, int n, unsigned* out, unsigned* totals) {
    __shared__ unsigned s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = (i < n) ? in[i] : 0;
    for (int k = 1; k < B; k *= 2) {
        __syncthreads();
        unsigned add = (t >= k) ? s[t - k] : 0;
        __syncthreads();
        s[t] += add;
    }
    if (i < n) out[i] = s[t];
    if (t == B - 1) totals[blockIdx.x] = s[t];
}

// few values, one thread is enough
__global__ void scan_totals(unsigned* totals, int blocks) {
    for (int b = 1; b < blocks; b++) totals[b] += totals[b - 1];
}

__global__ void add_totals(unsigned* out, const unsigned* totals, int n) {
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    int blocks = (n + B - 1) / B;
    scan_block<<<blocks, B>>>(in, n, out, scratch);
    scan_totals<<<1, 32>>>(scratch, blocks);
    add_totals<<<blocks, B>>>(out, scratch, n);
}
