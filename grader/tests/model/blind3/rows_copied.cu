// A copy: a block takes ROWS rows and goes along them; LINES: a warp takes a row.
#include <cuda_runtime.h>

#ifndef ROWS
#define ROWS 1
#endif
#ifndef THREADS
#define THREADS 256
#endif
#ifndef LINES
#define LINES 0
#endif

__global__ void rows_of(const float* in, float* out, int rows, int cols) {
#if LINES
    const int y = (blockIdx.x * THREADS + threadIdx.x) / 32;
    if (y < rows)
        for (int x = threadIdx.x % 32; x < cols; x += 32) out[y * cols + x] = in[y * cols + x];
#else
    for (int y = blockIdx.x * ROWS; y < rows && y < (blockIdx.x + 1) * ROWS; ++y)
        for (int x = threadIdx.x; x < cols; x += THREADS) out[y * cols + x] = in[y * cols + x];
#endif
}

void copy(const float* in, float* out, int rows, int cols) {
    rows_of<<<LINES ? (rows + THREADS / 32 - 1) / (THREADS / 32) : (rows + ROWS - 1) / ROWS, THREADS>>>(in, out, rows, cols);
}
