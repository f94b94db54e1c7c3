// stage: transpose/open
// says: uninitialized
// Adds to the output instead of storing.
#include <cuda_runtime.h>

__global__ void accumulate(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] += in[i];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) accumulate<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
