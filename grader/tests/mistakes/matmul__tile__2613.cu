#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 16;

__device__ static float at(const float* m, int rows, int cols, int y, int x) {
    if (y >= rows || x >= cols) return 0.0f;
    return m[static_cast<std::size_t>(y) * cols + x];
}

__global__ void tiled(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    __shared__ __align__(16) float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];

    const int block = blockIdx.x;
    const int across = (cols - 1) / TILE + 1;
    const int x = block % across * TILE + threadIdx.x;
    const int y = block / across * TILE + threadIdx.y;

    float sum = 0.0f;
    for (int first = 0; first < depth; first += TILE) {
        a_tile[threadIdx.y][threadIdx.x] = at(a, rows, cols, y, first + threadIdx.x);
        b_tile[threadIdx.y][threadIdx.x] = at(b, depth, cols, first + threadIdx.y, x);
        __syncthreads();

        for (int p = 0; p < TILE; ++p) sum += a_tile[threadIdx.y][p] * b_tile[p][threadIdx.x];
        __syncthreads();
    }
    if (x < cols && y < rows) c[static_cast<std::size_t>(y) * cols + x] = sum;
}

static int tiles_for(int rows, int cols) { return ((cols - 1) / TILE + 1) * ((rows - 1) / TILE + 1); }

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    tiled<<<tiles_for(rows, cols), dim3(TILE, TILE)>>>(a, b, c, rows, cols, depth);
}
