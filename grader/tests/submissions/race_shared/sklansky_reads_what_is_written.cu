// stage: scan/open
// says: race_shared
// Sklansky's tree, but each thread adds the last value of its own half, which another thread updates in the same step.
#include <cuda_runtime.h>

__global__ void blocks_apart(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned x[512];
    const int t = threadIdx.x, base = blockIdx.x * 512;
    x[t] = base + t < n ? in[base + t] : 0;
    x[t + 256] = base + t + 256 < n ? in[base + t + 256] : 0;
    for (int s = 1; s < 512; s <<= 1) {
        __syncthreads();
        const int first = t / s * 2 * s;
        x[first + s + t % s] += x[first + 2 * s - 1];  // <--
    }
    __syncthreads();
    for (int k = t; k < 512; k += 256)
        if (base + k < n) out[base + k] = x[k];
    if (t == 0) sums[blockIdx.x] = x[511];
}
__global__ void add(unsigned* out, const unsigned* sums, int n) {
    const int i = blockIdx.x * 512 + threadIdx.x;
    unsigned before = 0;
    for (unsigned b = 0; b < blockIdx.x; ++b) before += sums[b];
    if (i < n) out[i] += before;
}

void scan(const unsigned int* in, unsigned int* out, unsigned int* scratch, int n) {
    if (n == 0) return;
    blocks_apart<<<(n + 511) / 512, 256>>>(in, out, scratch, n);
    add<<<(n + 511) / 512, 512>>>(out, scratch, n);
}
