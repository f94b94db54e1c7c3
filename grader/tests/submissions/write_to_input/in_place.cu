// stage: transpose/open
// says: write_to_input
// Exchanges elements of the input through a cast that removes const.
#include <cuda_runtime.h>

__global__ void in_place(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    out[i % cols * rows + i / cols] = in[i];
    const_cast<float*>(in)[i] = 0.0f;  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) in_place<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
