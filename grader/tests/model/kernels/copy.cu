// Copies: how many bytes a thread has in flight, in how many instructions, with how many other threads beside it.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef VECTOR
#define VECTOR float  // float, float2, float4
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef EACH
#define EACH 1  // vectors a thread moves, all loads before the first store
#endif
#ifndef BLOCKS
#define BLOCKS 0  // 0: as many as the elements need; else a fixed grid that walks over them
#endif
#ifndef SHIFT
#define SHIFT 0  // floats by which the output is moved off its alignment
#endif
#ifndef STRIDE
#define STRIDE 1  // lanes are this many vectors apart
#endif
#ifndef SHARED
#define SHARED 0  // bytes of shared memory a block asks for and leaves: fewer blocks fit
#endif

__global__ void __launch_bounds__(THREADS) copy_kernel(const VECTOR* in, float* out, std::size_t n) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * THREADS * EACH;
    for (std::size_t start = static_cast<std::size_t>(blockIdx.x) * THREADS * EACH; start < n; start += step) {
        VECTOR held[EACH];
        for (int k = 0; k < EACH; ++k) {
            const std::size_t lane = start + k * THREADS + threadIdx.x;
            const std::size_t i = lane % (32 * STRIDE) / 32 + (lane / (32 * STRIDE) * 32 + lane % 32) * STRIDE;
            if (i < n) held[k] = in[STRIDE == 1 ? lane : i];
        }
        for (int k = 0; k < EACH; ++k) {
            const std::size_t lane = start + k * THREADS + threadIdx.x;
            const std::size_t i = lane % (32 * STRIDE) / 32 + (lane / (32 * STRIDE) * 32 + lane % 32) * STRIDE;
            if (i < n - SHIFT) *reinterpret_cast<VECTOR*>(out + SHIFT + (STRIDE == 1 ? lane : i) * (sizeof(VECTOR) / 4)) = held[k];
        }
    }
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols / (sizeof(VECTOR) / 4);
    if (n == 0) return;
    const std::size_t needed = (n - 1) / (THREADS * EACH) + 1;
    const unsigned blocks = BLOCKS != 0 && BLOCKS < needed ? BLOCKS : static_cast<unsigned>(needed);
    copy_kernel<<<blocks, THREADS, SHARED>>>(reinterpret_cast<const VECTOR*>(in), out, n);
}
