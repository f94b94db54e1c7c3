#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

#define N 1024

__global__ void prefix(const unsigned *x, int n, unsigned *y, unsigned *totals)
{
    __shared__ unsigned bufA[N], bufB[N];
    int t = threadIdx.x;
    int g = blockIdx.x * N + t;
    unsigned *src = bufA, *dst = bufB;
    src[t] = g < n ? x[g] : 0u;
    __syncthreads();
    for (int d = 1; d < N; d <<= 1) {
        if (t >= d)
            dst[t] = src[t] + src[t - d];
        else
            dst[t] = src[t];
        unsigned *tmp = src; src = dst; dst = tmp;
        __syncthreads();
    }
    if (g < n) y[g] = dst[t];
    if (t == N - 1) totals[blockIdx.x] = dst[t];
}

__global__ void shift(const unsigned *totals, int n, unsigned *y)
{
    int g = (blockIdx.x + 1) * N + threadIdx.x;
    if (g < n) y[g] += totals[blockIdx.x];
}

void scan(const unsigned *in, unsigned *out, unsigned *scratch, int n)
{
    if (n == 0) return;
    int b = (n + N - 1) / N;
    prefix<<<b, N>>>(in, n, out, scratch);
    if (b > 1) {
        scan(scratch, scratch, scratch + b, b);
        shift<<<b - 1, N>>>(scratch, n, out);
    }
}
