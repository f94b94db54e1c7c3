#include <cuda_runtime.h>
#define BLK 16

__global__ void mat_transpose(const float* in, float* out, int rows, int cols) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = (blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
    size_t idx = (size_t)y * cols + x;
    size_t total = (size_t)rows * cols;
    if (idx < total) {
        out[(size_t)x * rows + y] = in[idx];
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
    mat_transpose<<<makeGrid(rows, cols), dim3(BLK, BLK)>>>(in, out, rows, cols);
}
