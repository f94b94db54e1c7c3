// Warm-up 2: the guard.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block

__global__ void guard(const float* in, const float* out, std::size_t n) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i < n) out[i] = in[i];
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    if (n == 0) return;  // CUDA refuses a grid of no blocks
    const unsigned blocks = static_cast<unsigned>((n - 1) / THREADS + 1);
    if (blocks > 0) guard<<<blocks, THREADS>>>(in, out, n);
}
