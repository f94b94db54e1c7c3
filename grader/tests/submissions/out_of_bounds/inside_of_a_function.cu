// stage: transpose/corner_turning
// says: out_of_bounds
// The line at fault is in a function that the kernel calls; the guard of the load is missing there.
#include <cuda_runtime.h>

__device__ float element(const float* matrix, int row, int column, int columns) {
    return matrix[row * columns + column];  // <--
}

__global__ void tiled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = element(in, y, x, cols);
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) tiled<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}
