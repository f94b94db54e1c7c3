// expect: stage=global_atomics verdict=wrong kind=wrong_output pattern=counts_padding
// Threads past the end count a 0.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block

__global__ void global_atomics(const unsigned* in, unsigned* counts, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    atomicAdd(&counts[i < n ? in[i] : 0], 1u);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    global_atomics<<<(n - 1) / THREADS + 1, THREADS>>>(in, counts, n);
}
