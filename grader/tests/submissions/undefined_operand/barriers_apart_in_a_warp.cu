// stage: transpose/naive_read
// says: undefined_operand
// The halves of a warp ask for barriers of their own.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    asm volatile("bar.sync %0;" ::"r"(1 + (int)threadIdx.x / 16));  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
