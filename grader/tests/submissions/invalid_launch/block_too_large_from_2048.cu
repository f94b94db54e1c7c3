// stage: transpose/open
// says: invalid_launch
// From 2048 x 2048 on a larger tile, with more threads than a block may have.
#include <cuda_runtime.h>

template <int Tile, int Rows>
__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[Tile][Tile + 1];
    const int left = blockIdx.x * Tile, x = left + threadIdx.x;
    for (int top = blockIdx.y * Tile; top < rows; top += gridDim.y * Tile) {
        for (int j = threadIdx.y; j < Tile; j += Rows)
            if (x < cols && top + j < rows) tile[j][threadIdx.x] = in[size_t(top + j) * cols + x];
        __syncthreads();
        for (int j = threadIdx.y; j < Tile; j += Rows)
            if (top + threadIdx.x < rows && left + j < cols)
                out[size_t(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
        __syncthreads();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (rows >= 2048 && cols >= 2048)
        turn<64, 32><<<dim3((cols + 63) / 64, min(65535, (rows + 63) / 64)), dim3(64, 32)>>>(in, out, rows, cols);  // <--
    else
        turn<32, 8><<<dim3((cols + 31) / 32, min(65535, (rows + 31) / 32)), dim3(32, 8)>>>(in, out, rows, cols);
}
