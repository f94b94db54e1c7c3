// Blocks add up a piece each, and one lane adds up what they have found: of the last block, of a launch of its own, or
// of its block.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef PARTS
#define PARTS 8192
#endif
#ifndef WIDE
#define WIDE 0
#endif
constexpr int THREADS = 256;

__global__ void parts_of(const float* in, size_t n, float* scratch) {
    __shared__ float s[THREADS];
    float sum = 0;
    for (size_t i = blockIdx.x * static_cast<size_t>(THREADS) + threadIdx.x; i < n; i += PARTS * static_cast<size_t>(THREADS))
        sum += in[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int t = 1; t < THREADS; ++t) sum += s[t];
    scratch[blockIdx.x] = sum;
}
__global__ void add_up(const float* scratch, float* out) {
#if WIDE
    __shared__ float s[1024];
    float sum = 0;
    for (int p = threadIdx.x; p < PARTS; p += 1024) sum += scratch[p];
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x != 0) return;
    sum = 0;
    for (int t = 0; t < 1024; ++t) sum += s[t];
#else
    if (threadIdx.x != 0) return;
    float sum = 0;
    for (int p = 0; p < PARTS; ++p) sum += scratch[p];
#endif
    *out = sum;
}
void reduce(const float* in, size_t n, float* scratch, float* out) {
    parts_of<<<PARTS, THREADS>>>(in, n, scratch);
    add_up<<<1, 1024>>>(scratch, out);
}
