// stage: transpose/open
// says: not_written guard_rows_cols_swapped
// The guard asks for rows twice.
#include <cuda_runtime.h>

__global__ void square_guard(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int y = i / cols, x = i % cols;
    if (x < rows && y < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) square_guard<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
