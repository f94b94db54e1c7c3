// stage: transpose/naive_read
// says: ptx_syntax
// Past the parameters of the kernel.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    asm volatile("{ .reg .b64 r; ld.param.u64 r, [_Z5naivePKfPfii_param_3+65536]; }");  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
