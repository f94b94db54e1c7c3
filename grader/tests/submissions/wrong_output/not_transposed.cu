// stage: transpose/naive_read
// says: wrong_output not_transposed
// A copy.
#include <cuda_runtime.h>

__global__ void copy(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) copy<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
