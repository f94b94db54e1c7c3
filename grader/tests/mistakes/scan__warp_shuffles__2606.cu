#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

#define FULL 0xffffffffu

__device__ unsigned incl(unsigned v)
{
    int ln = threadIdx.x & 31;
#pragma unroll
    for (int k = 1; k <= 16; k <<= 1) {
        unsigned u = __shfl_up_sync(FULL, v, k);
        v += ln >= k ? u : 0;
    }
    return v;
}

__global__ void scan1024(const unsigned *a, unsigned *b, unsigned *tops, int n)
{
    __shared__ unsigned wsum[32];
    int w = threadIdx.x >> 5;
    int ln = threadIdx.x & 31;
    int i = blockIdx.x * 1024 + threadIdx.x;
    unsigned v = 0;
    if (i < n) v = a[i];
    v = incl(v);
    if (ln == 31) wsum[w] = v;
    __syncthreads();
    if (w == 0) {
        unsigned z = wsum[ln];
        z = incl(z);
        wsum[ln] = z;
    }
    __syncthreads();
    if (w != 0)
        v += wsum[w];
    if (i < n) b[i] = v;
    if (threadIdx.x == 1023) tops[blockIdx.x] = v;
}

__global__ void addTops(unsigned *b, const unsigned *tops, int n)
{
    int i = (blockIdx.x + 1) * 1024 + threadIdx.x;
    if (i < n) b[i] = b[i] + tops[blockIdx.x];
}

void scan(const unsigned *in, unsigned *out, unsigned *scratch, int n)
{
    if (n == 0) return;
    int nb = (n + 1023) / 1024;
    scan1024<<<nb, 1024>>>(in, out, scratch, n);
    if (nb == 1) return;
    scan(scratch, scratch, scratch + nb, nb);
    addTops<<<nb - 1, 1024>>>(out, scratch, n);
}
