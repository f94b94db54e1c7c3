// stage: transpose/copy
// says: wrong_output transposed
// The worked example copies; this one transposes.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void copy(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) scatter<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
