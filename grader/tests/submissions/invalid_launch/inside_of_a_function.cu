// stage: transpose/dynamic_tile
// says: invalid_launch
// The launch stands in a template that the launcher calls.
#include <cuda_runtime.h>

template <int TILE>
__global__ void tiled(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

template <int TILE>
void launch(const float* in, float* out, int rows, int cols) {
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    tiled<TILE><<<grid, dim3(TILE, TILE)>>>(in, out, rows, cols);  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (rows < 64) launch<16>(in, out, rows, cols);
    else launch<64>(in, out, rows, cols);
}
