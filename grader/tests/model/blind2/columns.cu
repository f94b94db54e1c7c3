// BY 0: a block takes a row of the input; 1: a block takes a row of the output; 2: a warp takes a row of the output.
#include <cuda_runtime.h>

#ifndef BY
#define BY 0
#endif
#ifndef THREADS
#define THREADS 256
#endif

__global__ void one_row(const float* in, float* out, int rows, int cols) {
#if BY == 0
    const int y = blockIdx.x;
    for (int x = threadIdx.x; x < cols; x += blockDim.x) out[x * rows + y] = in[y * cols + x];
#elif BY == 1
    const int x = blockIdx.x;
    for (int y = threadIdx.x; y < rows; y += blockDim.x) out[x * rows + y] = in[y * cols + x];
#else
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (x >= cols) return;
    for (int y = threadIdx.x % 32; y < rows; y += 32) out[x * rows + y] = in[y * cols + x];
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    constexpr int warps = THREADS / 32;
    one_row<<<BY == 0 ? rows : BY == 1 ? cols : (cols + warps - 1) / warps, THREADS>>>(in, out, rows, cols);
}
