#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif
#define TILE_DIM 32
#define BLOCK_ROWS (TILE_DIM / THREADS)

__global__ void transposeCoarse(const float* idata, float* odata, int rows, int cols) {
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int by = blockIdx.z * gridDim.y + blockIdx.y;
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = by * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = idata[(size_t)(y + j) * cols + x];

    __syncthreads();

    x = by * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < rows && y + j < cols)
            odata[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];

}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    dim3 dimBlock(TILE_DIM, THREADS / TILE_DIM);
    int gx = (cols + TILE_DIM - 1) / TILE_DIM;
    int gy = (rows + TILE_DIM - 1) / TILE_DIM;
    int gz = (gy + 65534) / 65535;
    dim3 dimGrid(gx, (gy + gz - 1) / gz, gz);
    transposeCoarse<<<dimGrid, dimBlock>>>(in, out, rows, cols);
}
