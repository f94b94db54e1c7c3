// stage: transpose/padding
// says: rule shared_load_wavefronts_over_ideal
// The tile has a spare row, not a spare column: the conflicts stay.
#include <cuda_runtime.h>

__global__ void wrong_side(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[33][32];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = in[(top + threadIdx.y) * cols + left + threadIdx.x];
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) wrong_side<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
