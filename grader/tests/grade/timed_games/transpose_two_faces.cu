// stage: transpose/open
// performance: at most 4
// Blocks count themselves in a launch before. Where all have, a naive kernel follows, and a tile where few have: both
// are right.
#include <cuda_runtime.h>
#include <cstddef>

__device__ unsigned seen;
__global__ void arm() {
    if (threadIdx.x + threadIdx.y == 0) atomicAdd(&seen, 1u);
}
__global__ void disarm() { seen = 0; }

__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const bool is_naive = seen == gridDim.x;
    const int across = (cols - 1) / 32 + 1;
    const int c0 = blockIdx.x % across * 32, r0 = blockIdx.x / across * 32;
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8)
        if (c0 + x < cols && r0 + y < rows) {
            const float v = in[std::size_t(r0 + y) * cols + c0 + x];
            if (is_naive)
                out[std::size_t(c0 + x) * rows + r0 + y] = v;
            else
                tile[y][x] = v;
        }
    __syncthreads();
    if (is_naive) return;
    for (int y = threadIdx.y; y < 32; y += 8)
        if (r0 + x < rows && c0 + y < cols) out[std::size_t(c0 + y) * rows + r0 + x] = tile[x][y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int blocks = ((cols - 1) / 32 + 1) * ((rows - 1) / 32 + 1);
    arm<<<blocks, dim3(32, 1)>>>();
    turn<<<blocks, dim3(32, 8)>>>(in, out, rows, cols);
    disarm<<<1, 1>>>();
}
