// stage: transpose/naive_read
// says: undefined_operand
// An mbarrier that was done with is no mbarrier.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __shared__ alignas(16) unsigned long long bar;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at) : "memory");
        asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");  // <--
    }
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
