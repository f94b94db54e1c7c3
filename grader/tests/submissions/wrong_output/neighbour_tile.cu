// stage: transpose/open
// says: wrong_output wrong_tile
// Tiles are read from one column of tiles further on, and from the first where there is none.
#include <cuda_runtime.h>

__global__ void next_tile(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32;
    const int tile_col = blockIdx.x % across, top = blockIdx.x / across * 32;
    const int x = tile_col * 32 + threadIdx.x, from = (tile_col + 1) % across * 32 + threadIdx.x;
    const int y = top + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + (from < cols ? from : x)];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) next_tile<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
