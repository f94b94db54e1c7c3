// stage: transpose/naive_read
// A grid of a fixed size walks over the elements, with a stride of the whole grid.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    scatter<<<64, 256>>>(in, out, rows, cols);
}
