// stage: transpose/open
// says: not_written only_first_block
// The grid is one block.
#include <cuda_runtime.h>

__global__ void one_block(const float* in, float* out, int rows, int cols) {
    const int x = threadIdx.x, y = threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) { one_block<<<1, dim3(16, 16)>>>(in, out, rows, cols); }
