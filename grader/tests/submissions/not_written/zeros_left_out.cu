// stage: transpose/naive_read
// says: not_written
// A matrix is taken for a sparse one: where there is a zero, nothing is stored.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void sparse(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = (blockIdx.z * gridDim.y + blockIdx.y) * 32 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const float value = in[static_cast<std::size_t>(y) * cols + x];
    if (value != 0.0f) out[static_cast<std::size_t>(x) * rows + y] = value;
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    sparse<<<dim3((cols - 1) / 32 + 1, (down - 1) / folds + 1, folds), dim3(32, 32)>>>(in, out, rows, cols);
}
