// expect: stage=barrier verdict=pass rule=ended_before_barriers
// Threads without an element to take out end, while the others wait in the `if`.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int THREADS = 256;  // of a block

__global__ void barrier(const float* in, float* out, std::size_t n) {
    __shared__ float box[THREADS];
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * THREADS;  // element of the block's thread 0
    const int mirror = THREADS - 1 - threadIdx.x;
    if (first + threadIdx.x < n) box[threadIdx.x] = in[first + threadIdx.x];

    if (first + mirror < n) {
        __syncthreads();
        out[first + mirror] = box[mirror];
    }
}

void copy(const float* in, float* out, int rows, int cols) {
    const std::size_t n = static_cast<std::size_t>(rows) * cols;
    if (n == 0) return;
    barrier<<<static_cast<unsigned>((n - 1) / THREADS + 1), THREADS>>>(in, out, n);
}
