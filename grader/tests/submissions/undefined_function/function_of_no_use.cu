// stage: transpose/naive_read
// says: undefined_function
// Nothing calls it for these shapes; ptxas wants it all the same.
#include <cuda_runtime.h>

__device__ int place(int x);

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    if (rows < 0) out[place(x)] = 0;  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
