// stage: transpose/naive_read
// says: out_of_bounds
// The last row of the address space: its end wraps round to zero.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    volatile float* nowhere = nullptr;
    nowhere[(int)threadIdx.x - 32] = 1.0f;  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
