// Loads and stores that say they will not be needed again, round a tile; DIRECT: no tile, columns read through __ldg.
#include <cuda_runtime.h>

#ifndef DIRECT
#define DIRECT 0
#endif

__global__ void __launch_bounds__(512) hinted(const float* in, float* out, int rows, int cols) {
#if DIRECT
    const int x = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 16) {
        const int y = blockIdx.x * 32 + j;
        if (x < rows && y < cols) __stcs(&out[y * rows + x], __ldg(&in[x * cols + y]));
    }
#else
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = __ldcs(&in[y * cols + x]);
    if (x < cols && y + 16 < rows) tile[threadIdx.y + 16][threadIdx.x] = __ldcs(&in[(y + 16) * cols + x]);
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols) __stcs(&out[y * rows + x], tile[threadIdx.x][threadIdx.y]);
    if (x < rows && y + 16 < cols) __stcs(&out[(y + 16) * rows + x], tile[threadIdx.x][threadIdx.y + 16]);
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    hinted<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 16)>>>(in, out, rows, cols);
}
