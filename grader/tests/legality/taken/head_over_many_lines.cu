// Each word on a line of its own.
#include <cuda_runtime.h>

template <typename T>
__host__
__device__
inline
T
times(T a,
      T b)
{
    return a * b;
}

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[times(x, rows) + y] = in[times(y, cols) + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid(times((cols + 15) / 16, 1), times((rows + 15) / 16, 1));
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
