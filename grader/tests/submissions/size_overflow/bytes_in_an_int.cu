// stage: transpose/naive_read
// says: size_overflow
// The bytes that are cleared first are counted in an int: from 2^29 elements on they are below zero.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 8 + threadIdx.y; x < cols && y < rows; y += gridDim.y * 8)
        out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bytes = rows * cols * static_cast<int>(sizeof(float));  // <--
    cudaMemsetAsync(out, 0, bytes, 0);
    const int down = (rows - 1) / 8 + 1;
    turned<<<dim3((cols - 1) / 32 + 1, down < 65535 ? down : 65535), dim3(32, 8)>>>(in, out, rows, cols);
}
