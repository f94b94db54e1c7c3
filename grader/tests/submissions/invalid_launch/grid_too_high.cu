// stage: transpose/padding
// says: invalid_launch
// One row of tiles for each grid.y: 65536 of them for 2097121 rows, one more than a grid may have.
#include <cuda_runtime.h>

__global__ void high(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    high<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);  // <--
}
