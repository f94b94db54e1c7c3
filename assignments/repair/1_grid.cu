// Repair 1: right for years, until somebody came with a very high matrix.
//
// TODO 1: this kernel was found in a program. It fails on some shapes only. Find its one mistake and mend it, without
// changing how the kernel works: the technique is checked too.
//
// Start with `./grader/warpgrade check grid`, and with one shape: `--shape 2097121x1`.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * SIDE + threadIdx.x;
    const int y = blockIdx.y * SIDE + threadIdx.y;
    if (x < cols && y < rows) out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    naive<<<dim3((cols - 1) / SIDE + 1, (rows - 1) / SIDE + 1), dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
