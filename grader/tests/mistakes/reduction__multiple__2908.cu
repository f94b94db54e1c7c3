#include <cuda_runtime.h>
#include <cstddef>

static const int BLOCK = 256;
static const int MAX_BLOCKS = 1056;

template <typename V>
__device__ inline V fold(V v) {
    for (int mask = 16; mask != 0; mask /= 2) v += __shfl_xor_sync(~0u, v, mask);
    return v;
}

__global__ void partials(const float* p, std::size_t count, float* res) {
    __shared__ float w[BLOCK / 32];
    float acc = 0;
    const float* const last = p + count;
    for (const float* q = p + (std::size_t)blockIdx.x * BLOCK + threadIdx.x; q < last; q += (std::size_t)gridDim.x * BLOCK)
        acc += *q;
    acc = fold(acc);
    if ((threadIdx.x & 31) == 0) w[threadIdx.x >> 5] = acc;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    acc = fold(threadIdx.x < BLOCK / 32 ? w[threadIdx.x] : 0.f);
    if (threadIdx.x == 0) res[blockIdx.x] = acc;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    std::size_t need = (n + BLOCK * 8 - 1) / (BLOCK * 8);
    if (need < 1) need = 1;
    if (need > MAX_BLOCKS) need = MAX_BLOCKS;
    partials<<<(unsigned)need, BLOCK>>>(in, n, scratch);
    partials<<<1, BLOCK>>>(scratch, MAX_BLOCKS, out);
}
