// stage: transpose/open
// says: wrong_output mixed_within_tile
// The tile is stored with the column XORed with the row, and read with the column XORed with half of the row.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void swizzled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][32];
    const int across = (cols + 31) / 32, left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int r = threadIdx.y; r < 32; r += 8)
        tile[r][threadIdx.x ^ r] = left + threadIdx.x < cols && top + r < rows ? in[size_t(top + r) * cols + left + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int c = threadIdx.y; c < 32; c += 8)
        if (left + c < cols && top + threadIdx.x < rows)
            out[size_t(left + c) * rows + top + threadIdx.x] = tile[threadIdx.x][c ^ (threadIdx.x & 15)];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) swizzled<<<((cols + 31) / 32) * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
