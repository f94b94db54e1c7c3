// stage: transpose/padding
// Index arithmetic, barrier and launch all hidden behind macros.
#include <cuda_runtime.h>

#define TILE 32
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define AT(p, width, y, x) (p)[(size_t)(y) * (width) + (x)]
#define WAIT_FOR_BLOCK() __syncthreads()
#define LAUNCH(kernel, grid, block, ...) kernel<<<(grid), (block)>>>(__VA_ARGS__)

__global__ void with_macros(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    const int across = CEIL_DIV(cols, TILE);
    const int left = blockIdx.x % across * TILE, top = blockIdx.x / across * TILE;
    if (left + threadIdx.x < cols && top + threadIdx.y < rows)
        tile[threadIdx.y][threadIdx.x] = AT(in, cols, top + threadIdx.y, left + threadIdx.x);
    WAIT_FOR_BLOCK();
    if (top + threadIdx.x < rows && left + threadIdx.y < cols)
        AT(out, rows, left + threadIdx.y, top + threadIdx.x) = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    LAUNCH(with_macros, CEIL_DIV(rows, TILE) * CEIL_DIV(cols, TILE), dim3(TILE, TILE), in, out, rows, cols);
}
