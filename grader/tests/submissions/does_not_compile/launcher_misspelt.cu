// stage: transpose/padding
// says: launcher_missing
// `transpoze`.
#include <cuda_runtime.h>

__global__ void padded(const float* in, float* out, int rows, int cols) {
    if (threadIdx.x < rows * cols) out[threadIdx.x] = in[threadIdx.x];
}

void transpoze(const float* in, float* out, int rows, int cols) {  // <--
    padded<<<1, 256>>>(in, out, rows, cols);
}
