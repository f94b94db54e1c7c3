// stage: stencil/five_points
// says: not_written
// Only elements that have all four neighbours are stored.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void inner(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32, x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 8 + threadIdx.y;
    if (x <= 0 || y <= 0 || x >= cols - 1 || y >= rows - 1) return;
    const float* const here = in + size_t(y) * cols + x;
    out[size_t(y) * cols + x] = here[-cols] + here[cols] + here[-1] + here[1] - 4 * *here;
}

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) inner<<<((cols + 31) / 32) * ((rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
