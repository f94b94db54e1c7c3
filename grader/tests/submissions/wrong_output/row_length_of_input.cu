// stage: transpose/naive_write
// says: wrong_output rows_cols_swapped
// Rows of the input are taken to be `rows` long.
#include <cuda_runtime.h>

__global__ void gather(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const long long from = static_cast<long long>(i % rows) * rows + i / rows;
    out[i] = in[from % (rows * cols)];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) gather<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
