// stage: transpose/padding
// says: rule shared_load_wavefronts_over_ideal
// A padded tile of 16 x 16: a warp covers two rows, and two of its words meet in a bank.
#include <cuda_runtime.h>

__global__ void sixteen(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[16][17];
    const int across = (cols + 15) / 16;
    const int left = blockIdx.x % across * 16, top = blockIdx.x / across * 16;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 15) / 16) * ((cols + 15) / 16);
    if (tiles != 0) sixteen<<<tiles, dim3(16, 16)>>>(in, out, rows, cols);
}
