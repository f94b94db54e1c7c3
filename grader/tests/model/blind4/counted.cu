// Counts elements by some bits of theirs, and stores how many there were in all. WHERE 0: in global memory, 1: in bins of
// the block, 2: the same, by floats, 3: lanes with equal bins count once.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef WHERE
#define WHERE 0
#endif
#ifndef BINS
#define BINS 256
#endif
#ifndef BLOCKS
#define BLOCKS 1056
#endif
constexpr int THREADS = 256;

__device__ static unsigned bin_of(float v, size_t i) {
    return (static_cast<unsigned>(i) * 2654435761u >> 12 ^ __float_as_uint(v)) % BINS;
}
__global__ void clear(float* scratch) {
    if (threadIdx.x < BINS) reinterpret_cast<unsigned*>(scratch)[threadIdx.x] = 0;
}
__global__ void count(const float* in, size_t n, float* scratch) {
    unsigned* const all = reinterpret_cast<unsigned*>(scratch);
    const size_t stride = gridDim.x * static_cast<size_t>(THREADS);
#if WHERE == 0
    for (size_t i = blockIdx.x * static_cast<size_t>(THREADS) + threadIdx.x; i < n; i += stride)
        atomicAdd(&all[bin_of(in[i], i)], 1u);
#elif WHERE == 2
    __shared__ float bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += THREADS) bins[b] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * static_cast<size_t>(THREADS) + threadIdx.x; i < n; i += stride)
        atomicAdd(&bins[bin_of(in[i], i)], 1.0f);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += THREADS) atomicAdd(&all[b], static_cast<unsigned>(bins[b]));
#else
    __shared__ unsigned bins[BINS];
    for (int b = threadIdx.x; b < BINS; b += THREADS) bins[b] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * static_cast<size_t>(THREADS) + threadIdx.x; i < n; i += stride) {
        const unsigned bin = bin_of(in[i], i);
#if WHERE == 3
        const unsigned same = __match_any_sync(__activemask(), bin);
        if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&bins[bin], __popc(same));
#else
        atomicAdd(&bins[bin], 1u);
#endif
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += THREADS) atomicAdd(&all[b], bins[b]);
#endif
}
// The sum of all elements is what the caller expects: counted in a pass of its own.
__global__ void add(const float* in, size_t n, float* out) {
    float sum = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(~0u, sum, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
__global__ void zero(float* out) { *out = 0; }
void reduce(const float* in, size_t n, float* scratch, float* out) {
    clear<<<1, 1024>>>(scratch);
    count<<<BLOCKS, THREADS>>>(in, n, scratch);
    zero<<<1, 1>>>(out);
    add<<<1056, 256>>>(in, n, out);
}
