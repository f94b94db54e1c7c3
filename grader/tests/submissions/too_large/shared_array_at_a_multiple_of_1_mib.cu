// stage: transpose/naive_read
// says: too_large
// The compiler takes alignments up to half a GiB.
#include <cuda_runtime.h>

__shared__ alignas(1 << 20) char far[1];

__global__ void naive(const float* in, float* out, int rows, int cols) {
    far[0] = 1;
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
