// stage: transpose/open
// says: out_of_bounds
// Offsets multiplied by the size of an element, as if the pointer were one to bytes.
#include <cuda_runtime.h>

__global__ void bytes(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    const size_t from = i * sizeof(float);
    out[i % cols * rows + i / cols] = in[from];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) bytes<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
