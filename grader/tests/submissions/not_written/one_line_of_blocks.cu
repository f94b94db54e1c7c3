// stage: transpose/open
// says: not_written one_line_of_blocks
// The grid has one dimension, the kernel means two.
#include <cuda_runtime.h>

__global__ void two_dimensions(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (cols != 0 && rows != 0) two_dimensions<<<(cols + 31) / 32, dim3(32, 32)>>>(in, out, rows, cols);
}
