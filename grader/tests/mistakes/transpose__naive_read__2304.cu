#include <cuda_runtime.h>

#include <cstddef>

__device__ void store(float* out, size_t index, float value) {
    out[index] = value;
}

__global__ void turn(const float* in, float* out, int rows, int cols) {
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = (blockIdx.z * gridDim.y + blockIdx.y) * 32 + threadIdx.y;
    if (col < cols && row < rows) {
        float value = in[(size_t)row * cols + col];
        size_t index = (size_t)col * rows + row;
        store(out, value, index);
    }
}

static dim3 grid_for(int rows, int cols) {
    const int across = (cols + 31) / 32;
    const int down = (rows + 31) / 32;
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    turn<<<grid_for(rows, cols), dim3(32, 32)>>>(in, out, rows, cols);
}
