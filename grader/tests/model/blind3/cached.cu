// No shared memory: a thread reads down a column EACH elements, which lie side by side in its row of the output; L1 is to
// keep the lines for its neighbours.
#include <cuda_runtime.h>

#ifndef EACH
#define EACH 8
#endif
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif

__global__ void gather(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    const int x = blockIdx.x * BLOCK_X + threadIdx.x, y = (blockIdx.y * BLOCK_Y + threadIdx.y) * EACH;
    if (x >= cols) return;
    float column[EACH];
#pragma unroll
    for (int k = 0; k < EACH; ++k) column[k] = y + k < rows ? in[(y + k) * cols + x] : 0.0f;
#pragma unroll
    for (int k = 0; k < EACH; ++k)
        if (y + k < rows) out[x * rows + y + k] = column[k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 block(BLOCK_X, BLOCK_Y);
    gather<<<dim3((cols + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y * EACH - 1) / (BLOCK_Y * EACH)), block>>>(in, out, rows, cols);
}
