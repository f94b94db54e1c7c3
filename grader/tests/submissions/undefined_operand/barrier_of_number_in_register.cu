// stage: transpose/naive_read
// says: undefined_operand
// A block has 16 barriers, and the last block asks for more.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    asm volatile("bar.sync %0;" ::"r"(y + 16));  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
