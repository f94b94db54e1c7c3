// expect: stage=global_atomics verdict=wrong kind=wrong_output pattern=rest_missing
// The last elements have no thread.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block

__global__ void global_atomics(const unsigned* in, unsigned* counts, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) atomicAdd(&counts[in[i]], 1u);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n < THREADS) return;
    global_atomics<<<n / THREADS, THREADS>>>(in, counts, n);
}
