// stage: transpose/dynamic_tile
// says: out_of_bounds_shared
// Room for 32 x 32 floats, indices for rows of 33.
#include <cuda_runtime.h>

__global__ void too_few_bytes(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j * 33 + threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];  // <--
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x * 33 + j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) too_few_bytes<<<tiles, dim3(32, 8), 32 * 32 * sizeof(float)>>>(in, out, rows, cols);
}
