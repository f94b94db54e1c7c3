// stage: transpose/open
// says: out_of_bounds
// A stencil's habit: reads the neighbour to the left, which the first element does not have.
#include <cuda_runtime.h>

__global__ void neighbour(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const float before = in[i - 1];  // <--
    out[i % cols * rows + i / cols] = before == in[i] ? before : in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) neighbour<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
