// stage: transpose/dynamic_tile
// says: rule dynamic_shared_sizes
// Dynamic shared memory, but always the same tile.
#include <cuda_runtime.h>

__global__ void always_32(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j * 33 + threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x * 33 + j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) always_32<<<tiles, dim3(32, 8), 32 * 33 * sizeof(float)>>>(in, out, rows, cols);
}
