// A parameter struct, made by the launcher and read by the kernel.
#include <cuda_runtime.h>

struct Size {
    int rows, cols;
    Size(int r, int c) : rows(r), cols(c) {}
    __device__ bool holds(int row, int col) const { return row < rows && col < cols; }
};

__global__ void copy_turned(const float* in, float* out, Size size) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (size.holds(y, x)) out[x * size.rows + y] = in[y * size.cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, Size(rows, cols));
}
