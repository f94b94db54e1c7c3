// stage: transpose/corner_turning
// says: wrong_output tile_not_transposed_inside
// Tiles go to the right place, but the index into the tile is not turned.
#include <cuda_runtime.h>

__global__ void kept(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    tile[threadIdx.y][threadIdx.x] = 0.0f;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) kept<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
