#include <cuda_runtime.h>
#define BLK 32

__global__ void transposeShared(const float* idata, float* odata, int rows, int cols) {
    __shared__ float block[BLK][BLK];
    int by = blockIdx.z * gridDim.y + blockIdx.y;
    int xIndex = blockIdx.x * BLK + threadIdx.x;
    int yIndex = by * BLK + threadIdx.y;
    if (xIndex < cols && yIndex < rows) {
        block[threadIdx.y][threadIdx.x] = idata[(size_t)yIndex * cols + xIndex];
    } else {
        return;
    }
    __syncthreads();
    xIndex = by * BLK + threadIdx.x;
    yIndex = blockIdx.x * BLK + threadIdx.y;
    if (xIndex < rows && yIndex < cols) {
        odata[(size_t)yIndex * rows + xIndex] = block[threadIdx.x][threadIdx.y];
    }
}

static dim3 makeGrid(int rows, int cols) {
    int gx = (cols + BLK - 1) / BLK;
    int gy = (rows + BLK - 1) / BLK;
    int gz = (gy + 65534) / 65535;
    return dim3(gx, (gy + gz - 1) / gz, gz);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    dim3 threads(BLK, BLK, 1);
    transposeShared<<<makeGrid(rows, cols), threads>>>(in, out, rows, cols);
}
