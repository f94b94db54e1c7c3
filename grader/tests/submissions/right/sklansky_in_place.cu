// stage: scan/open
// Sklansky's tree in place, one barrier a step: who reads in a step reads what nobody writes in it.
#include <cuda_runtime.h>

template <int N>
__global__ void sklansky(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned x[N];
    const int t = threadIdx.x;
    const long long base = static_cast<long long>(blockIdx.x) * N;
    for (int k = t; k < N; k += N / 2) x[k] = base + k < n ? in[base + k] : 0u;
#pragma unroll
    for (int s = 1; s < N; s <<= 1) {
        __syncthreads();
        const int group = t / s, at = group * 2 * s + s + t % s;
        x[at] += x[group * 2 * s + s - 1];
    }
    __syncthreads();
    for (int k = t; k < N; k += N / 2)
        if (base + k < n) out[base + k] = x[k];
    if (sums && t == 0) sums[blockIdx.x] = x[N - 1];
}

__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = (blockIdx.x + 1) * 1024 + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
}

static void levels(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    const int blocks = (n + 1023) / 1024;
    sklansky<1024><<<blocks, 512>>>(in, out, blocks > 1 ? scratch : nullptr, n);
    if (blocks == 1) return;
    levels(scratch, scratch, scratch + blocks, blocks);
    add<<<blocks - 1, 1024>>>(out, scratch, n);
}

void scan(const unsigned int* in, unsigned int* out, unsigned int* scratch, int n) {
    if (n > 0) levels(in, out, scratch, n);
}
