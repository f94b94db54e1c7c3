// stage: transpose/naive_read
// says: undefined_operand
// 17 bytes for the 16 that are copied.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __shared__ alignas(16) float tile[32][4];
    const unsigned to = (unsigned)__cvta_generic_to_shared(tile[threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in), "r"(rows > 0 ? 17 : 4) : "memory");  // <--
    asm volatile("cp.async.wait_all;" ::: "memory");
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
