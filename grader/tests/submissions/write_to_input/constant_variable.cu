// stage: transpose/open
// says: write_to_input
// Keeps the width in constant memory, and sets it there by an address that the compiler does not see.
#include <cuda_runtime.h>

__constant__ int width;

__global__ void remembers(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .u64 a; mov.u64 a, width; cvta.const.u64 a, a; st.u32 [a], %0; }" ::"r"(cols));  // <--
    if (i < rows * cols && width >= 0) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) remembers<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
