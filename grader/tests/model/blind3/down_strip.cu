// A block keeps its columns and goes down the matrix by tiles; STRIPS blocks share a strip of 32 columns.
#include <cuda_runtime.h>

#ifndef STRIPS
#define STRIPS 8
#endif
#ifndef BAND
#define BAND 8
#endif

__global__ void __launch_bounds__(32 * BAND) go_down(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int left = blockIdx.x * 32;
    for (int top = blockIdx.y * 32; top < rows; top += gridDim.y * 32) {
        for (int j = threadIdx.y; j < 32; j += BAND)
            if (left + threadIdx.x < cols && top + j < rows)
                tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += BAND)
            if (top + threadIdx.x < rows && left + j < cols)
                out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
        __syncthreads();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int down = (rows + 31) / 32;
    go_down<<<dim3((cols + 31) / 32, down < STRIPS ? down : STRIPS), dim3(32, BAND)>>>(in, out, rows, cols);
}
