// stage: transpose/naive_read
// says: too_large
// Each fits, all together do not.
#include <cuda_runtime.h>

__device__ char a[1u << 29], b[1u << 29], c[1u << 29];

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    if (x == 0 && y == 0) a[rows] = b[cols] = c[rows] = 1;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
