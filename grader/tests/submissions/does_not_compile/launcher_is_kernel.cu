// stage: transpose/naive_read
// says: launcher_is_kernel
// The kernel has the launcher's name.
#include <cuda_runtime.h>

__global__ void transpose(const float* in, float* out, int rows, int cols) {  // <--
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}
