// stage: transpose/open
// says: not_written
// `rows - 1` in the guard.
#include <cuda_runtime.h>

__global__ void short_guard(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (rows - 1) * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) short_guard<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
