// One element a thread, numbered in a line: the row is a quotient. BLOCKS: so many blocks, each thread goes on by the grid.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef WRITES
#define WRITES 0  // 1: neighbours in the output have neighbouring threads
#endif
#ifndef BLOCKS
#define BLOCKS 0
#endif

__global__ void __launch_bounds__(THREADS) in_line(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    std::size_t i = static_cast<std::size_t>(blockIdx.x) * THREADS + threadIdx.x;
    for (; i < n; i += static_cast<std::size_t>(gridDim.x) * THREADS) {
#if WRITES
        out[i] = in[i % rows * cols + i / rows];
#else
        out[i % cols * rows + i / cols] = in[i];
#endif
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    if (n == 0) return;
    const std::size_t all = (n - 1) / THREADS + 1;
    in_line<<<static_cast<unsigned>(BLOCKS != 0 && BLOCKS < all ? BLOCKS : all), THREADS>>>(in, out, rows, cols);
}
