// stage: transpose/padding
// No padding: the column is XORed with the row, which spreads a column over all banks as well.
#include <cuda_runtime.h>

__global__ void swizzled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    const int across = (cols + 31) / 32;
    const int tile_col = blockIdx.x % across, tile_row = blockIdx.x / across;
    const int tx = threadIdx.x, ty = threadIdx.y;
    int x = tile_col * 32 + tx, y = tile_row * 32 + ty;
    if (x < cols && y < rows) tile[ty][tx ^ ty] = in[y * cols + x];
    __syncthreads();
    x = tile_row * 32 + tx;
    y = tile_col * 32 + ty;
    if (x < rows && y < cols) out[y * rows + x] = tile[tx][ty ^ tx];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) swizzled<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
