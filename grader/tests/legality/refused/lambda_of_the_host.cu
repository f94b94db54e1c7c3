// A lambda of the launcher, called by the kernel.
#include <cuda_runtime.h>

template <typename F>
__global__ void copy_turned(const float* in, float* out, int rows, int cols, F f) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    out[f(x) * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    const auto same = [](int value) { return value; };
    copy_turned<<<grid, block>>>(in, out, rows, cols, same);  // refused
}
