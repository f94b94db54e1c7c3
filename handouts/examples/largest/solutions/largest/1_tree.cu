// Stage 1, tree: every thread its own elements, every block a tree, and one atomic a block.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;
constexpr int MOST_BLOCKS = 1056;
using Word = unsigned long long;

__device__ static Word word_of(unsigned value, unsigned place) {
    return static_cast<Word>(value) << 32 | (0xffffffffu - place);
}

__global__ void tree(const unsigned* in, Word* best, int n) {
    __shared__ Word words[THREADS];
    const int tid = threadIdx.x;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    Word own = 0;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + tid; i < n; i += stride) {
        const Word word = word_of(in[i], static_cast<unsigned>(i));
        if (word > own) own = word;
    }
    words[tid] = own;
    __syncthreads();

    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (tid < s && words[tid + s] > words[tid]) words[tid] = words[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicMax(best, words[0]);
}

void largest(const unsigned* in, Word* best, int n) {
    cudaMemsetAsync(best, 0, sizeof(Word), 0);
    if (n == 0) return;
    const int wanted = (n - 1) / THREADS + 1;
    const int blocks = wanted < MOST_BLOCKS ? wanted : MOST_BLOCKS;
    tree<<<blocks, THREADS>>>(in, best, n);
}
