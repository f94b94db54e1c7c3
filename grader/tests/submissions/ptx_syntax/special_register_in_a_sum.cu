// stage: transpose/naive_read
// says: ptx_syntax
// The assembler takes special registers in mov alone.
#include <cuda_runtime.h>

__global__ void plain(const float* in, float* out, int rows, int cols) {
    int x;
    asm("mad.lo.s32 %0, %%ctaid.x, %%ntid.x, %%tid.x;" : "=r"(x));  // <--
    for (int y = blockIdx.y; y < rows; y += gridDim.y)
        if (x < cols) out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    plain<<<dim3((cols + 127) / 128, rows < 60000 ? rows : 60000), 128>>>(in, out, rows, cols);
}
