// Tile as a template parameter.
#include <cuda_runtime.h>

template <int TILE>
__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<16><<<grid, block>>>(in, out, rows, cols);
}
