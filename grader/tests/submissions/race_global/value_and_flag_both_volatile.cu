// stage: scan/open
// says: race_global
// Value and flag are both volatile, and no fence keeps the value before the flag.
#include <cuda_runtime.h>
__global__ void chain(const unsigned* in, unsigned* out, volatile unsigned* flags, volatile unsigned* values, int n) {
    __shared__ unsigned before, s[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        const unsigned b = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += b;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        unsigned p = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {}
            p = values[blockIdx.x - 1];  // <--
        }
        values[blockIdx.x] = p + s[127];  // <--
        flags[blockIdx.x] = 1;
        before = p;
    }
    __syncthreads();
    if (i < n) out[i] = before + s[threadIdx.x];
}
void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int blocks = (n + 127) / 128;
    cudaMemsetAsync(scratch, 0, blocks * 4);
    chain<<<blocks, 128>>>(in, out, scratch, scratch + blocks, n);
}
