#include <cuda_runtime.h>
#define BLK 32

__global__ void copyVector(const float* in, float* out, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void transposeTiled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[BLK][BLK + 1];
    int by = blockIdx.z * gridDim.y + blockIdx.y;
    int x = blockIdx.x * BLK + threadIdx.x;
    int y = by * BLK + threadIdx.y;
    for (int j = 0; j < BLK; j += 8)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * cols + x];
    __syncthreads();
    x = by * BLK + threadIdx.x;
    y = blockIdx.x * BLK + threadIdx.y;
    for (int j = 0; j < BLK; j += 8)
        if (x < rows && y + j < cols) out[(size_t)(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

static dim3 makeGrid(int rows, int cols) {
    int gx = (cols + BLK - 1) / BLK;
    int gy = (rows + BLK - 1) / BLK;
    int gz = (gy + 65534) / 65535;
    return dim3(gx, (gy + gz - 1) / gz, gz);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (rows == 1 || cols == 1) {
        size_t n = (size_t)rows * cols;
        copyVector<<<(unsigned)((n + 255) / 256), 256>>>(in, out, n);
        return;
    }
    if (cols > rows)
        transposeTiled<<<makeGrid(cols, rows), dim3(BLK, 8)>>>(in, out, rows, cols);
    else
        transposeTiled<<<makeGrid(rows, cols), dim3(BLK, 8)>>>(in, out, rows, cols);
}
