#include <cuda_runtime.h>
#define BLK 32

__global__ void naive_read(const float* in, float* out, int rows, int cols) {
    unsigned char x = blockIdx.x * BLK + threadIdx.x;
    int y = (blockIdx.z * gridDim.y + blockIdx.y) * BLK + threadIdx.y;
    if (x < cols && y < rows) {
        out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
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
    naive_read<<<makeGrid(rows, cols), dim3(BLK, BLK)>>>(in, out, rows, cols);
}
