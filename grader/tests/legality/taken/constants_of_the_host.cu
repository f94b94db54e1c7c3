// Constant numbers may be used on both sides.
#include <cuda_runtime.h>

constexpr int TILE = 16;
const int half_tile = TILE / 2;
static const float one = 1.0f;
namespace sizes {
constexpr int wide = 16;
}

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[x * rows + y + TILE - 2 * half_tile + sizes::wide - TILE] = in[y * cols + x] * one;
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
