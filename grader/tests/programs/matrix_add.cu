// Adds two matrices with a two-dimensional grid.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define ROWS 100
#define COLS 70

__global__ void matAdd(const int *a, const int *b, int *c, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
}

int main() {
    int a[ROWS][COLS], b[ROWS][COLS], c[ROWS][COLS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = i * j;
            b[i][j] = i - j;
        }
    int *dev_a, *dev_b, *dev_c;
    const size_t bytes = sizeof(a);
    cudaMalloc((void **)&dev_a, bytes);
    cudaMalloc((void **)&dev_b, bytes);
    cudaMalloc((void **)&dev_c, bytes);
    cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16);
    dim3 grid((COLS + block.x - 1) / block.x, (ROWS + block.y - 1) / block.y);
    matAdd<<<grid, block>>>(dev_a, dev_b, dev_c, ROWS, COLS);
    cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) sum += c[i][j];
    printf("grid %u x %u, c[3][4] = %d, c[99][69] = %d, sum = %ld\n", grid.x, grid.y, c[3][4], c[99][69], sum);
    cudaFree(dev_a);
    cudaFree(dev_b);
    cudaFree(dev_c);
    return 0;
}
