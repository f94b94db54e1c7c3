// stage: transpose/naive_read
// says: undefined_operand
// An atomic operation that tells an mbarrier which nobody has set up.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __shared__ alignas(16) unsigned long long bar;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    __shared__ unsigned count;
    const unsigned count_at = (unsigned)__cvta_generic_to_shared(&count);
    if (threadIdx.x == 0) {
        count = 0;
        // clang-format off
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], 1, [%1];" :: "r"(count_at), "r"(at) : "memory");  // <--
        // clang-format on
    }
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
