// stage: transpose/padding
// says: launcher_missing
// Kernels only.
#include <cuda_runtime.h>

__global__ void padded(const float* in, float* out, int rows, int cols) {
    if (threadIdx.x < rows * cols) out[threadIdx.x] = in[threadIdx.x];
}
