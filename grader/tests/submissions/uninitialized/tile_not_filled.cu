// stage: transpose/corner_turning
// says: uninitialized
// The loop of the load stops half-way; the store reads the whole tile.
#include <cuda_runtime.h>

__global__ void half_filled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 16; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) half_filled<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);
}
