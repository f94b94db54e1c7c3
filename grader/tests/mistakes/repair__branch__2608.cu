#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float box[SIDE][SIDE];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int x = across * SIDE + threadIdx.x, y = down * SIDE + threadIdx.y;
    if (x < cols && y < rows) {
        box[threadIdx.y][threadIdx.x] = in[static_cast<std::size_t>(y) * cols + x];
        __syncthreads();
    } else {
        __syncthreads();
    }
    const int to_x = down * SIDE + threadIdx.x, to_y = across * SIDE + threadIdx.y;
    if (to_x < rows && to_y < cols) out[static_cast<std::size_t>(to_y) * rows + to_x] = box[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / SIDE + 1;
    const int folds = (down - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (down - 1) / folds + 1, folds);
    turn<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
