#include <cuda_runtime.h>
#define BLK 32

__device__ size_t index(int r, int c, int width) {
    return (size_t)r * width + c;
}

__global__ void transposeKernel(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * BLK + threadIdx.x;
    int row = (blockIdx.z * gridDim.y + blockIdx.y) * BLK + threadIdx.y;
    if (row < rows && col < cols)
        out[index(row, col, rows)] = in[index(row, col, cols)];
}

static dim3 makeGrid(int rows, int cols) {
    int gx = (cols + BLK - 1) / BLK;
    int gy = (rows + BLK - 1) / BLK;
    int gz = (gy + 65534) / 65535;
    return dim3(gx, (gy + gz - 1) / gz, gz);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    dim3 threads(BLK, BLK);
    transposeKernel<<<makeGrid(rows, cols), threads>>>(in, out, rows, cols);
}
