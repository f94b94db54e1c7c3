// stage: transpose/naive_write
// says: out_of_bounds
// The load is guarded, the store is not.
#include <cuda_runtime.h>

__global__ void half_guarded(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (i < rows * cols) value = in[i % rows * cols + i / rows];
    out[i] = value;  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) half_guarded<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
