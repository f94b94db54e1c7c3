// stage: transpose/coarsening
// says: wrong_output block_size_fixed
// THREADS is meant to be swept; only 256 threads move all rows of the tile.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif

__global__ void fixed_steps(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = 0; j < 4; ++j) {
        const int row = threadIdx.y + j * 8;
        if (row < 32 && left + threadIdx.x < cols && top + row < rows)
            tile[row][threadIdx.x] = in[(top + row) * cols + left + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 4; ++j) {
        const int row = threadIdx.y + j * 8;
        if (row < 32 && top + threadIdx.x < rows && left + row < cols)
            out[(left + row) * rows + top + threadIdx.x] = tile[threadIdx.x][row];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) fixed_steps<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);  // <--
}
