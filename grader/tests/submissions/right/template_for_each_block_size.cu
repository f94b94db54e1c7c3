// stage: reduction/open
// The classic: the tree unrolled by a template over the block size, and a switch in the launcher that picks one.
#include <cstddef>

#include <cuda_runtime.h>

template <unsigned Threads>
__global__ void unrolled(const float* in, size_t n, float* sums) {
    __shared__ float partial[Threads];
    const unsigned tid = threadIdx.x;
    float sum = 0;
    for (size_t i = blockIdx.x * Threads + tid; i < n; i += size_t(gridDim.x) * Threads) sum += in[i];
    partial[tid] = sum;
    __syncthreads();
    if constexpr (Threads >= 512) { if (tid < 256) partial[tid] += partial[tid + 256]; __syncthreads(); }
    if constexpr (Threads >= 256) { if (tid < 128) partial[tid] += partial[tid + 128]; __syncthreads(); }
    if constexpr (Threads >= 128) { if (tid < 64) partial[tid] += partial[tid + 64]; __syncthreads(); }
    if constexpr (Threads >= 64) { if (tid < 32) partial[tid] += partial[tid + 32]; __syncthreads(); }
    if (tid < 32) {
        sum = partial[tid];
        for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);
        if (tid == 0) sums[blockIdx.x] = sum;
    }
}

static void launch(unsigned threads, unsigned blocks, const float* in, size_t n, float* sums) {
    switch (threads) {
        case 512: unrolled<512><<<blocks, 512>>>(in, n, sums); break;
        case 256: unrolled<256><<<blocks, 256>>>(in, n, sums); break;
        case 128: unrolled<128><<<blocks, 128>>>(in, n, sums); break;
        case 64: unrolled<64><<<blocks, 64>>>(in, n, sums); break;
        default: unrolled<32><<<blocks, 32>>>(in, n, sums);
    }
}

void reduce(const float* in, size_t n, float* scratch, float* out) {
    unsigned threads = 32;
    while (threads < 512 && threads * 4 < n) threads *= 2;
    launch(threads, 48, in, n, scratch);
    launch(64, 1, scratch, 48, out);
}
