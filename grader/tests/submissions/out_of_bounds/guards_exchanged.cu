// stage: transpose/corner_turning
// says: out_of_bounds
// The guard of the load belongs to the output: wrong as soon as the matrix is not square.
#include <cuda_runtime.h>

__global__ void exchanged(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x < rows && y < cols) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];  // <--
    __syncthreads();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        out[(left + threadIdx.y) * rows + top + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) exchanged<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
