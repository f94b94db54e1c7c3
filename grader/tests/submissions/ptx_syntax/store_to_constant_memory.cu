// stage: transpose/open
// says: ptx_syntax
// A store to constant memory, which PTX does not have.
#include <cuda_runtime.h>

__constant__ int width;

__global__ void by_pointer(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("st.const.u32 [width], 1;");  // <--
    if (i < rows * cols && width >= 0) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) by_pointer<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
