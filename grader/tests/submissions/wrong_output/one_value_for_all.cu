// stage: transpose/open
// says: wrong_output constant
// The index of the load does not depend on the thread.
#include <cuda_runtime.h>

__global__ void constant(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[0];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) constant<<<(n + 255) / 256, 256>>>(in, out, n);
}
