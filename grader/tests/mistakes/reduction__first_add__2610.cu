#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

enum { T = 256, PER_BLOCK = 512 };

__global__ void addPairs(const float *v, size_t count, float *blockTotals)
{
    __shared__ float s[T];
    size_t lo = (size_t)blockIdx.x * PER_BLOCK + threadIdx.x;
    size_t hi = lo + T;
    float mine = 0;
    if (lo < count) mine += v[lo];
    if (hi < count) mine += v[hi];
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int half = T / 2; half >= 1; half >>= 1) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) blockTotals[blockIdx.x] = s[0];
}

static size_t nblocks(size_t count)
{
    size_t b = (count + PER_BLOCK - 1) / PER_BLOCK;
    return b > 0 ? b : 1;
}

void reduce(const float *in, size_t n, float *scratch, float *out)
{
    const float *src = in;
    size_t left = n;
    size_t b = nblocks(left);
    while (b > 1) {
        addPairs<<<(unsigned)b, T>>>(src, left, scratch);
        src = scratch;
        left = b;
        b = nblocks(left);
    }
    addPairs<<<1, T>>>(src, left, out);
}
