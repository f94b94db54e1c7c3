// stage: transpose/naive_read
// says: too_large
// 1 TiB of GPU memory.
#include <cuda_runtime.h>

__device__ char big[1ull << 40];

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    big[(size_t)y * 4096 + x] = 1;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
