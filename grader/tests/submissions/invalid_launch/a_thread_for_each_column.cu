// stage: stencil/five_points
// says: invalid_launch
// One block a row, with as many threads as the row has elements.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void row(const float* in, float* out, int rows, int cols) {
    const int x = threadIdx.x, y = blockIdx.x;
    const float* const here = in + size_t(y) * cols + x;
    float sum = -4 * *here;
    if (y > 0) sum += here[-cols];
    if (y + 1 < rows) sum += here[cols];
    if (x > 0) sum += here[-1];
    if (x + 1 < cols) sum += here[1];
    out[size_t(y) * cols + x] = sum;
}

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) row<<<rows, cols>>>(in, out, rows, cols);  // <--
}
