// stage: transpose/open
// says: wrong_output mixed_within_tile
// The tile is read with both indices backwards.
#include <cuda_runtime.h>

__global__ void backwards(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    const int x = min(left + static_cast<int>(threadIdx.x), cols - 1);
    const int y = min(top + static_cast<int>(threadIdx.y), rows - 1);
    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[31 - threadIdx.x][31 - threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) backwards<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
