// The tile of many textbooks: 16 x 16 threads, an element each, with or without a column of padding; DIAGONAL: blocks are
// numbered along the diagonals.
#include <cuda_runtime.h>

#ifndef SIDE
#define SIDE 16
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef DIAGONAL
#define DIAGONAL 0
#endif

__global__ void turn_tile(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[SIDE][SIDE + PAD];
    int bx = blockIdx.x, by = blockIdx.y;
#if DIAGONAL
    by = (blockIdx.x + blockIdx.y) % gridDim.y;
#endif
    int x = bx * SIDE + threadIdx.x, y = by * SIDE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = by * SIDE + threadIdx.x;
    y = bx * SIDE + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    turn_tile<<<dim3((cols + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
