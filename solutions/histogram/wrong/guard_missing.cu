// expect: stage=global_atomics verdict=fault kind=out_of_bounds line=13
// Threads past the end read as well.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block

__global__ void global_atomics(const unsigned* in, unsigned* counts, int) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    atomicAdd(&counts[in[i]], 1u);  // <--
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    global_atomics<<<(n - 1) / THREADS + 1, THREADS>>>(in, counts, n);
}
