// A grid that is smaller than the matrix: each thread goes on by the grid, across and down. COLUMNS: down first.
#include <cuda_runtime.h>

#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef GRID_X
#define GRID_X 64
#endif
#ifndef GRID_Y
#define GRID_Y 32
#endif
#ifndef COLUMNS
#define COLUMNS 0
#endif

__global__ void roam_about(const float* in, float* out, int rows, int cols) {
    const int first_x = blockIdx.x * blockDim.x + threadIdx.x, step_x = gridDim.x * blockDim.x;
    const int first_y = blockIdx.y * blockDim.y + threadIdx.y, step_y = gridDim.y * blockDim.y;
#if COLUMNS
    for (int x = first_x; x < cols; x += step_x)
        for (int y = first_y; y < rows; y += step_y) out[x * rows + y] = in[y * cols + x];
#else
    for (int y = first_y; y < rows; y += step_y)
        for (int x = first_x; x < cols; x += step_x) out[x * rows + y] = in[y * cols + x];
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    roam_about<<<dim3(GRID_X, GRID_Y), dim3(BLOCK_X, BLOCK_Y)>>>(in, out, rows, cols);
}
