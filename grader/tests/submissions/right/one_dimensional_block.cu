// stage: transpose/coarsening
// The block has one dimension; row and column of the tile come from a division.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif

__global__ void flat_block(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32 * 33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int i = threadIdx.x; i < 1024; i += THREADS) {
        const int y = top + i / 32, x = left + i % 32;
        if (y < rows && x < cols) tile[i / 32 * 33 + i % 32] = in[y * cols + x];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += THREADS) {
        const int y = left + i / 32, x = top + i % 32;
        if (y < cols && x < rows) out[y * rows + x] = tile[i % 32 * 33 + i / 32];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) flat_block<<<tiles, THREADS>>>(in, out, rows, cols);
}
