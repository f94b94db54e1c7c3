// stage: transpose/naive_read
// says: wrong_output rotated
// A quarter turn: one index runs backwards.
#include <cuda_runtime.h>

__global__ void turn(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const int y = i / cols, x = i % cols;
    out[x * rows + (rows - 1 - y)] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) turn<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
