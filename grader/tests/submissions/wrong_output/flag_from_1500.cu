// stage: transpose/naive_read
// says: wrong_output
// What is done from 1500 rows on is told to the kernel by a flag: the launcher has no branch for it.
#include <cuda_runtime.h>

__global__ void turn(const float* in, float* out, int rows, int cols, bool is_large) {
    const int x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < cols && y < rows) out[is_large ? y * cols + x : x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(8, 64);
    turn<<<dim3((rows + 7) / 8, (cols + 63) / 64), block>>>(in, out, rows, cols, rows > 1500 && cols > 1500);
}
