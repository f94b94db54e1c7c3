#include <cuda_runtime.h>
#include <cstddef>

template <unsigned B>
__global__ void reduceK(const float* g, size_t n, float* o)
{
    __shared__ float sm[256];
    unsigned tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;
    float x = 0.f;
    if (i < n) x = g[i];
    if (i + blockDim.x < n) x += g[i + blockDim.x];
    sm[tid] = x;
    __syncthreads();
    if (B >= 256) { if (tid < 128) sm[tid] += sm[tid + 128]; __syncthreads(); }
    if (B >= 128) { if (tid < 64) sm[tid] += sm[tid + 64]; __syncthreads(); }
    for (unsigned s = 32; s > 0; s >>= 1) {
        if (tid < s) sm[tid] += sm[tid + s];
        __syncthreads();
    }
    if (!tid) o[blockIdx.x] = sm[0];
}

void reduce(const float* in, size_t n, float* scratch, float* out)
{
    const float* cur = in;
    size_t left = n;
    float* next = scratch;
    while (left > 512) {
        size_t b = (left + 511) / 512;
        reduceK<128><<<(unsigned)b, 256>>>(cur, left, next);
        cur = next;
        next += b;
        left = b;
    }
    reduceK<128><<<1, 256>>>(cur, left, out);
}
