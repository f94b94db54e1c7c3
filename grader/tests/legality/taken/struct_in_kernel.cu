// A struct inside of the kernel, with a device method.
#include <cuda_runtime.h>

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    struct Place {
        int row, col;
        __device__ int in(int pitch) const { return row * pitch + col; }
    };
    const Place place{y, x};
    out[x * rows + y] = in[place.in(cols)];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
