// A block takes a piece of PIECE elements that lie side by side and goes along it; then one block adds up.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef PIECE
#define PIECE 16384
#endif
#ifndef ATOMIC
#define ATOMIC 0
#endif

__global__ void of_piece(const float* in, std::size_t n, float* sums) {
    __shared__ float warps[THREADS / 32];
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * PIECE;
    const std::size_t end = begin + PIECE < n ? begin + PIECE : n;
    float sum = 0.0f;
    for (std::size_t i = begin + threadIdx.x; i < end; i += THREADS) sum += in[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= THREADS / 32) return;
    sum = warps[threadIdx.x];
    for (int s = THREADS / 64; s > 0; s /= 2) sum += __shfl_down_sync((1u << (THREADS / 32)) - 1, sum, s);
#if ATOMIC
    if (threadIdx.x == 0) atomicAdd(sums, sum);
#else
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
#endif
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    const unsigned pieces = n == 0 ? 1 : static_cast<unsigned>((n - 1) / PIECE + 1);
#if ATOMIC
    cudaMemsetAsync(out, 0, sizeof(float));
    of_piece<<<pieces, THREADS>>>(in, n, out);
#else
    of_piece<<<pieces, THREADS>>>(in, n, scratch);
    for (unsigned left = pieces; scratch != out;) {
        const unsigned blocks = (left - 1) / PIECE + 1;
        float* const to = blocks == 1 ? out : scratch + left;
        of_piece<<<blocks, THREADS>>>(scratch, left, to);
        scratch = to;
        left = blocks;
    }
#endif
}
