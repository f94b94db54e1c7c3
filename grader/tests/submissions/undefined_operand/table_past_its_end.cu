// stage: transpose/naive_read
// says: undefined_operand
// A table of two targets, and lanes that ask for the third.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    int z;
    asm volatile("{ .reg .u32 i; and.b32 i, %1, 3; t: .branchtargets A, B; brx.idx i, t;"
        " A: mov.u32 %0, 1; bra.uni C; B: mov.u32 %0, 2; C: }" : "=r"(z) : "r"(threadIdx.x));  // <--
    if (z == 7) return;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
