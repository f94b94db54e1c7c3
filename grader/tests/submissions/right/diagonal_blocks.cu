// stage: transpose/padding
// Blocks are renumbered along diagonals, as was good for GPUs of 2008; the result is the same.
#include <cuda_runtime.h>

__global__ void diagonal(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32, down = (rows + 31) / 32;
    const int tile_row = blockIdx.x / across, tile_col = (blockIdx.x + tile_row) % across;
    const int left = tile_col * 32, top = (down - 1 - tile_row) * 32;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) diagonal<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
