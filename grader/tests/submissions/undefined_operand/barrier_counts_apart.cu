// stage: transpose/naive_read
// says: undefined_operand
// One warp waits for 64 threads, the other one for 32.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    if (threadIdx.y == 0)
        asm volatile("bar.sync 1, 64;");
    else
        asm volatile("barrier.sync 1, %0;" ::"r"(32 * (int)threadIdx.y));  // <--
    if (threadIdx.y != 0) return;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), dim3(32, 2)>>>(in, out, rows, cols);
}
