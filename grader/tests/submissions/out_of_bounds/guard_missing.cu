// stage: transpose/naive_read
// says: out_of_bounds
// The grid is rounded up, but no thread asks whether it is inside.
#include <cuda_runtime.h>

__global__ void unguarded(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i % cols * rows + i / cols] = in[i];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) unguarded<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
