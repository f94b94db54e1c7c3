// stage: transpose/naive_read
// says: launcher_hidden
// The launcher is inside a namespace.
#include <cuda_runtime.h>

namespace mine {

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {  // <--
    scatter<<<(rows * cols + 255) / 256, 256>>>(in, out, rows, cols);
}

}  // namespace mine
