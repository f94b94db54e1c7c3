#include <cuda_runtime.h>

#define CHUNK 1024

__global__ void chunkScan(const unsigned *src, int count, unsigned *dst, unsigned *totals)
{
    __shared__ unsigned buf[CHUNK];
    int t = threadIdx.x;
    int g = blockIdx.x * CHUNK + t;
    buf[t] = 0;
    if (g < count) buf[t] = src[g];
    __syncthreads();
    int d = 1;
    while (d < CHUNK) {
        unsigned add = 0;
        if (t >= d) add = buf[t - d];
        __syncthreads();
        buf[t] += add;
        __syncthreads();
        d <<= 1;
    }
    if (g < count) dst[g] = buf[t];
    if (t == CHUNK - 1) totals[blockIdx.x] = buf[t];
}

__global__ void addOffsets(const unsigned *totals, int count, unsigned *dst)
{
    int g = (blockIdx.x + 1) * CHUNK + threadIdx.x;
    if (g < count) dst[g] += totals[blockIdx.x];
}

static int ceilDiv(int a, int b) { return (a + b - 1) / b; }

void scan(const unsigned *in, unsigned *out, unsigned *scratch, int n)
{
    if (n <= 0) return;
    int tiles = ceilDiv(n, CHUNK);
    int tiles2 = ceilDiv(tiles, CHUNK);
    unsigned *level1 = scratch;
    unsigned *level2 = level1 + tiles2;
    unsigned *level3 = level2 + tiles2;
    chunkScan<<<tiles, CHUNK>>>(in, n, out, level1);
    if (tiles > 1) {
        chunkScan<<<tiles2, CHUNK>>>(level1, tiles, level1, level2);
        if (tiles2 > 1) {
            chunkScan<<<1, CHUNK>>>(level2, tiles2, level2, level3);
            addOffsets<<<tiles2 - 1, CHUNK>>>(level2, tiles, level1);
        }
        addOffsets<<<tiles - 1, CHUNK>>>(level1, n, out);
    }
}
