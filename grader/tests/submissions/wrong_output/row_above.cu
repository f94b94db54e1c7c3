// stage: transpose/naive_read
// says: wrong_output neighbouring_row
// The row index of the load is one too small; the first row is right.
#include <cuda_runtime.h>

__global__ void above(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int y = i / cols, x = i % cols;
    out[x * rows + y] = in[max(y - 1, 0) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) above<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
