// CUDA overloads these of std.
#include <cuda_runtime.h>
#include <cmath>

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const float value = in[y * cols + x];
    out[x * rows + y] = std::isnan(value) || std::fabs(value) >= 0.0f ? value : std::sqrt(value);
    if (min(x, cols) < 0 || max(y, 0) < 0) out[0] = std::fmax(value, 0.0f);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int side = static_cast<int>(std::sqrt(static_cast<float>(rows)));
    if (min(rows, cols) < 0 || side < 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
