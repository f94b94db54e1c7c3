// The input is taken for a matrix whose rows have ROW elements, and a warp adds up a row; three or more launches, until
// one sum is left.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef ROW
#define ROW 1024
#endif

__global__ void __launch_bounds__(THREADS)
    sum_rows(const float* __restrict__ in, std::size_t n, float* __restrict__ sums) {
    const std::size_t row = static_cast<std::size_t>(blockIdx.x) * (THREADS / 32) + threadIdx.x / 32;
    if (row != 0 && row * ROW >= n) return;
    const float* const first = in + row * ROW;
    const std::size_t left = n - row * ROW;
    const int length = left < ROW ? static_cast<int>(left) : ROW, lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int i = lane; i < length; i += 32) sum += first[i];
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffffu, sum, s);
    if (lane == 0) sums[row] = sum;
}

void reduce(const float* in, std::size_t n, float* scratch, float* out) {
    do {
        const std::size_t rows = n == 0 ? 1 : (n - 1) / ROW + 1;
        float* const sums = rows == 1 ? out : scratch;
        sum_rows<<<static_cast<unsigned>((rows - 1) / (THREADS / 32) + 1), THREADS>>>(in, n, sums);
        in = sums;
        n = rows;
        scratch += rows;
    } while (in != out);
}
