// stage: transpose/naive_read
// says: inactive_lane
// Sixteen lanes come to a barrier that is for the other ones.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    __syncwarp(0x0000ffffu);  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
