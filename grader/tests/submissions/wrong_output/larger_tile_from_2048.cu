// stage: transpose/naive_read
// says: wrong_output
// Large matrices take another kernel, which nobody has tried.
#include <cuda_runtime.h>

__global__ void small(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

__global__ void large(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(32, 8);
    const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
    if (rows >= 2048 && cols >= 2048)
        large<<<grid, block>>>(in, out, rows, cols);
    else if (grid.y <= 65535)
        small<<<grid, block>>>(in, out, rows, cols);
    else
        small<<<dim3((cols + 31) / 32, (rows + 1023) / 1024), dim3(1, 1024)>>>(in, out, rows, cols);
}
