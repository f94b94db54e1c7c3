// stage: transpose/coarsening
// says: not_written part_of_each_tile
// A block of 8 rows for a tile of 32, and no loop.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif

__global__ void no_loop(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32;
    const int x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 32 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) no_loop<<<tiles, dim3(32, THREADS / 32)>>>(in, out, rows, cols);
}
