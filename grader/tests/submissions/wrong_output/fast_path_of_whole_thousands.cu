// stage: transpose/open
// says: wrong_output
// Where both extents are multiples of 512 a kernel without guards runs, and it forgets to turn the tile's inside.
#include <cuda_runtime.h>

__global__ void guarded(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (r0 + j < rows && c0 + x < cols) tile[j][x] = in[(size_t)(r0 + j) * cols + c0 + x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[(size_t)(c0 + j) * rows + r0 + x] = tile[x][j];
}
__global__ void unguarded(const float* in, float* out, int rows, int cols, int across) {
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) out[(size_t)(c0 + j) * rows + r0 + x] = in[(size_t)(r0 + j) * cols + c0 + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    if (rows % 512 == 0 && cols % 512 == 0)
        unguarded<<<tiles, dim3(32, 8)>>>(in, out, rows, cols, across);
    else
        guarded<<<tiles, dim3(32, 8)>>>(in, out, rows, cols, across);
}
