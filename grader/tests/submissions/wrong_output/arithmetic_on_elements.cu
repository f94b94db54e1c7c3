// stage: transpose/open
// says: wrong_output garbage
// The values are changed on the way.
#include <cuda_runtime.h>

__global__ void scaled(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i] * 1.5f + 1.0f;
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) scaled<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
