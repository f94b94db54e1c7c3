// stage: transpose/open
// says: out_of_bounds
// The kernel gets the address of a local variable of the launcher: host memory, on a real machine.
#include <cuda_runtime.h>

__global__ void through_pointer(const float* in, float* out, const int* shape) {
    const int rows = shape[0], cols = shape[1];  // <--
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    int shape[2] = {rows, cols};
    if (n != 0) through_pointer<<<(n + 255) / 256, 256>>>(in, out, shape);
}
