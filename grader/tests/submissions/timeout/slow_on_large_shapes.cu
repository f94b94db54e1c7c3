// stage: transpose/open
// says: timeout
// Every thread looks for its place from the start: the work grows with the square of the size.
#include <cuda_runtime.h>

__global__ void seek(const float* in, float* out, int rows, int cols) {
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < rows * cols; ++i) {
        if (i == me) out[i % cols * rows + i / cols] = in[i];  // <--
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    seek<<<(rows * cols + 127) / 128, 128>>>(in, out, rows, cols);
}
