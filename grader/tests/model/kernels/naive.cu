// One thread, one element, straight from one matrix to the other: one side is coalesced, the other pays.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 32
#endif
#ifndef WRITES
#define WRITES 0  // 1: the writes are coalesced, 0: the reads
#endif

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * BLOCK_X + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * BLOCK_Y + threadIdx.y;
#if WRITES
    if (x < rows && y < cols) out[static_cast<std::size_t>(y) * rows + x] = in[static_cast<std::size_t>(x) * cols + y];
#else
    if (x < cols && y < rows) out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int width = WRITES ? rows : cols, height = WRITES ? cols : rows;
    const int across = (width - 1) / BLOCK_X + 1, down = (height - 1) / BLOCK_Y + 1;
    const int folds = (down - 1) / 65535 + 1;
    naive<<<dim3(across, (down - 1) / folds + 1, folds), dim3(BLOCK_X, BLOCK_Y)>>>(in, out, rows, cols);
}
