// stage: transpose/open
// says: trap
// Stops itself on shapes it was not made for.
#include <cuda_runtime.h>

__global__ void picky(const float* in, float* out, int rows, int cols) {
    if (rows % 32 != 0) __trap();  // <--
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) picky<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
