// stage: transpose/naive_read
// says: wrong_output shifted_by_one
// Reads the element after the right one, except at the very end.
#include <cuda_runtime.h>

__global__ void shifted(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[min(i + 1, rows * cols - 1)];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) shifted<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
