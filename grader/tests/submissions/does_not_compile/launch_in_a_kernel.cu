// stage: transpose/naive_read
// says: compiler
// Plain nvcc refuses it: only the launcher launches.
#include <cuda_runtime.h>

__global__ void other(float* out) { out[threadIdx.x] = 0.0f; }

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    if (x == 0 && y == 0) other<<<1, 32>>>(out);  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
