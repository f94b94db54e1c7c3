// stage: transpose/naive_read
// says: invalid_call
// A table of functions with an entry that was forgotten.
#include <cuda_runtime.h>

typedef float (*Operation)(float);
__device__ float twice(float v) { return 2 * v; }
__device__ float half(float v) { return v / 2; }
__device__ Operation table[3] = {twice, half};

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x;
    Operation chosen = table[rows > 0 ? 2 : 0];
    if (x == cols + 1) out[0] = chosen(in[0]);
    if (x == 0) out[0] = chosen(in[0]);  // <--
    if (x < cols) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) naive<<<dim3(rows, (cols + 31) / 32), 32>>>(in, out, rows, cols);
}
