// expect: stage=global_atomics verdict=wrong kind=uninitialized
// What was in counts before is counted as well.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block

__global__ void global_atomics(const unsigned* in, unsigned* counts, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) atomicAdd(&counts[in[i]], 1u);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    if (n == 0) return;
    global_atomics<<<(n - 1) / THREADS + 1, THREADS>>>(in, counts, n);
}
