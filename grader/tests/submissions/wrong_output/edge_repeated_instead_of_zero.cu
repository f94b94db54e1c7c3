// stage: stencil/five_points
// says: wrong_output
// What is outside of the matrix is taken from its edge, as images do it; here it counts as zero.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void clamped(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32, x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const auto at = [=](int r, int c) { return in[size_t(min(max(r, 0), rows - 1)) * cols + min(max(c, 0), cols - 1)]; };
    out[size_t(y) * cols + x] = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1) - 4 * at(y, x);
}

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) clamped<<<((cols + 31) / 32) * ((rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
