// stage: transpose/padding
// Cooperative groups in place of __syncthreads() and threadIdx.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void grouped(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const cg::thread_block block = cg::this_thread_block();
    const int across = (cols + 31) / 32;
    const int tile_col = block.group_index().x % across, tile_row = block.group_index().x / across;
    const int tx = block.thread_rank() % 32, ty = block.thread_rank() / 32;
    int x = tile_col * 32 + tx, y = tile_row * 32 + ty;
    if (x < cols && y < rows) tile[ty][tx] = in[y * cols + x];
    block.sync();
    x = tile_row * 32 + tx;
    y = tile_col * 32 + ty;
    if (x < rows && y < cols) out[y * rows + x] = tile[tx][ty];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) grouped<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
