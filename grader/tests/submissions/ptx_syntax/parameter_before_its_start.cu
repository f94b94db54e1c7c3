// stage: transpose/naive_read
// says: ptx_syntax
// Before a parameter of a call, far enough to be in another thread.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    asm volatile("{ .param .b32 argument[4]; .reg .b32 r; ld.param.b32 r, [argument+-4096]; }");  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
