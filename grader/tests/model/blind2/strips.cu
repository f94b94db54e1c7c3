// A strip of BLOCK_X x BLOCK_Y elements, one a thread, in blocks of any size; for the writes the threads are numbered
// anew.
#include <cuda_runtime.h>

#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif

__global__ void turn_strip(const float* in, float* out, int rows, int cols) {
    __shared__ float strip[BLOCK_Y][BLOCK_X + 1];
    const int left = blockIdx.x * BLOCK_X, top = blockIdx.y * BLOCK_Y;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x < cols && y < rows) strip[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    const int number = threadIdx.y * BLOCK_X + threadIdx.x, r = number % BLOCK_Y, c = number / BLOCK_Y;
    if (top + r < rows && left + c < cols) out[(left + c) * rows + top + r] = strip[r][c];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 block(BLOCK_X, BLOCK_Y), grid((cols + BLOCK_X - 1) / BLOCK_X, (rows + BLOCK_Y - 1) / BLOCK_Y);
    turn_strip<<<grid, block>>>(in, out, rows, cols);
}
