// stage: transpose/padding
// says: wrong_output
// Elements are turned inside the tile, but the tile is stored where it came from.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

__global__ void stays(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    tile[threadIdx.y][threadIdx.x] = 0.0f;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (left + threadIdx.x < rows && top + threadIdx.y < cols)
        out[(top + threadIdx.y) * rows + left + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int most = ((rows > cols ? rows : cols) + 31) / 32;
    if (most <= 256)
        stays<<<dim3(most, most), dim3(32, 32)>>>(in, out, rows, cols);
    else  // thin matrices, done right
        scatter<<<(rows * cols + 255) / 256, 256>>>(in, out, rows, cols);
}
