// stage: transpose/open
// says: not_written last_partial_tile_missing
// The number of blocks is rounded down: the ragged edges are missing.
#include <cuda_runtime.h>

__global__ void whole_tiles(const float* in, float* out, int rows, int cols, int across) {
    const int x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 32 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int across = cols / 32, down = rows / 32;
    if (across * down != 0) whole_tiles<<<across * down, dim3(32, 32)>>>(in, out, rows, cols, across);
}
