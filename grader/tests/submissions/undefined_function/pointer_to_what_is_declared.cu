// stage: transpose/naive_read
// says: undefined_function
// Its address is taken, and nothing lies there.
#include <cuda_runtime.h>

__device__ int place(int x);
__device__ int first(int x) { return x; }

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    int (*volatile choose)(int) = x > 3 ? place : first;  // <--
    if (cols < 0) out[choose(1)] = 0;
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
