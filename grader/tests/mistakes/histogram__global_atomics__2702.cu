// Stage 1, global atomics: one thread, one element, one addition to its bin in global memory.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block

__global__ void global_atomics(const unsigned* in, unsigned* counts, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) atomicInc(&counts[in[i]], 1);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    global_atomics<<<(n - 1) / THREADS + 1, THREADS>>>(in, counts, n);
}
