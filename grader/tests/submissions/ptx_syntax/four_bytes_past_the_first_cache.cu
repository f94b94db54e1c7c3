// stage: transpose/naive_read
// says: ptx_syntax
// cp.async.cg knows 16 bytes alone.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __shared__ float own[32];
    asm volatile("cp.async.cg.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(own)), "l"(in));  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
