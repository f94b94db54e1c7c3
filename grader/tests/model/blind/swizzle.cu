// A tile without padding: the column of an element in shared memory is its own, exclusive-or its row.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 8
#endif

__global__ void __launch_bounds__(TILE* ROWS) swizzled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE];
    const int down = blockIdx.z * gridDim.y + blockIdx.y;
    int x = blockIdx.x * TILE + threadIdx.x, y = down * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        const int r = threadIdx.y + j;
        if (x < cols && y + j < rows) tile[r][threadIdx.x ^ r] = in[static_cast<std::size_t>(y + j) * cols + x];
    }
    __syncthreads();
    x = down * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        const int c = threadIdx.y + j;
        if (x < rows && y + j < cols) out[static_cast<std::size_t>(y + j) * rows + x] = tile[threadIdx.x][c ^ threadIdx.x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / TILE + 1, down = (rows - 1) / TILE + 1, folds = (down - 1) / 65535 + 1;
    swizzled<<<dim3(across, (down - 1) / folds + 1, folds), dim3(TILE, ROWS)>>>(in, out, rows, cols);
}
