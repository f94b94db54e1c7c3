// A method of a struct.
#include <cuda_runtime.h>

struct Matrix {
    const float* data;
    int pitch;
    float at(int row, int col) const { return data[row * pitch + col]; }
};

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const Matrix m{in, cols};
    out[x * rows + y] = m.at(y, x);  // refused
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
