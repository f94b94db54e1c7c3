// expect: stage=global_atomics verdict=pass rule=global_atomic_operations
// A thread counts equal elements in a register, and adds them when the value changes.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int BINS = 256;
constexpr int THREADS = 256;  // of a block
constexpr int EACH = 32;      // elements of a thread

__global__ void global_atomics(const unsigned* in, unsigned* counts, int n) {
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * THREADS;
    unsigned bin = 0, count = 0;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x; i < n; i += stride) {
        const unsigned next = in[i];
        if (next != bin && count > 0) {
            atomicAdd(&counts[bin], count);
            count = 0;
        }
        bin = next;
        ++count;
    }
    if (count > 0) atomicAdd(&counts[bin], count);
}

void histogram(const unsigned* in, unsigned* counts, int n) {
    cudaMemsetAsync(counts, 0, BINS * sizeof(unsigned), 0);
    if (n == 0) return;
    global_atomics<<<(n - 1) / (THREADS * EACH) + 1, THREADS>>>(in, counts, n);
}
