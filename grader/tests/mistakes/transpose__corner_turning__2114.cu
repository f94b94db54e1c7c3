#include <cuda_runtime.h>
#define BLK 32

__device__ void loadTile(float** tile, const float* in, int x, int y, int rows, int cols) {
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * cols + x];
}

__global__ void corner(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[BLK][BLK];
    int by = blockIdx.z * gridDim.y + blockIdx.y;
    loadTile(tile, in, blockIdx.x * BLK + threadIdx.x, by * BLK + threadIdx.y, rows, cols);
    __syncthreads();
    int x = by * BLK + threadIdx.x;
    int y = blockIdx.x * BLK + threadIdx.y;
    if (x < rows && y < cols) out[(size_t)y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

static dim3 makeGrid(int rows, int cols) {
    int gx = (cols + BLK - 1) / BLK;
    int gy = (rows + BLK - 1) / BLK;
    int gz = (gy + 65534) / 65535;
    return dim3(gx, (gy + gz - 1) / gz, gz);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    corner<<<makeGrid(rows, cols), dim3(BLK, BLK)>>>(in, out, rows, cols);
}
