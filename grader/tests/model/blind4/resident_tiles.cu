// A grid that stays: blocks take tiles in turn, along rows, down columns, or along diagonals.
#include <cuda_runtime.h>

#ifndef BLOCKS
#define BLOCKS 528
#endif
#ifndef ORDER
#define ORDER 0
#endif
#ifndef SIDE
#define SIDE 32
#endif
constexpr int BAND = 8;

__global__ void __launch_bounds__(SIDE * BAND) turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[SIDE][SIDE + 1];
    const int wide = (cols + SIDE - 1) / SIDE, high = (rows + SIDE - 1) / SIDE;
    for (int t = blockIdx.x; t < wide * high; t += gridDim.x) {
#if ORDER == 0
        const int bx = t % wide, by = t / wide;
#elif ORDER == 1
        const int bx = t / high, by = t % high;
#else
        const int by = t / wide, bx = (t + by) % wide;
#endif
        for (int k = 0; k < SIDE; k += BAND) {
            const int x = bx * SIDE + threadIdx.x, y = by * SIDE + threadIdx.y + k;
            if (x < cols && y < rows) tile[threadIdx.y + k][threadIdx.x] = in[static_cast<size_t>(y) * cols + x];
        }
        __syncthreads();
        for (int k = 0; k < SIDE; k += BAND) {
            const int x = by * SIDE + threadIdx.x, y = bx * SIDE + threadIdx.y + k;
            if (x < rows && y < cols) out[static_cast<size_t>(y) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
        }
        __syncthreads();
    }
}
void transpose(const float* in, float* out, int rows, int cols) {
    turn<<<BLOCKS, dim3(SIDE, BAND)>>>(in, out, rows, cols);
}
