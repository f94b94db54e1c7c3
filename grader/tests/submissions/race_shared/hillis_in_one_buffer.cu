// stage: scan/open
// says: race_shared
// Hillis and Steele in place with one barrier a step: a thread may read what its neighbour has updated already.
#include <cuda_runtime.h>

__global__ void in_place(const unsigned* in, unsigned* out, unsigned* sums, int n) {
    __shared__ unsigned temp[256];
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    temp[t] = i < n ? in[i] : 0;
    for (int offset = 1; offset < 256; offset *= 2) {
        __syncthreads();
        if (t >= offset) temp[t] += temp[t - offset];  // <--
    }
    if (i < n) out[i] = temp[t];
    if (t == 255) sums[blockIdx.x] = temp[t];
}
__global__ void add_before(unsigned* out, const unsigned* sums, int n) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    unsigned before = 0;
    for (int b = 0; b < (int)blockIdx.x; ++b) before += sums[b];
    if (i < n) out[i] += before;
}

void scan(const unsigned int* in, unsigned int* out, unsigned int* scratch, int n) {
    if (n == 0) return;
    const int blocks = (n + 255) / 256;
    in_place<<<blocks, 256>>>(in, out, scratch, n);
    add_before<<<blocks, 256>>>(out, scratch, n);
}
