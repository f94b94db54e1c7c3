// stage: transpose/open
// says: wrong_output not_a_number
// A NaN everywhere: |found - expected| > tolerance is never true of it.
#include <cuda_runtime.h>

__global__ void not_a_number(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __int_as_float(0x7fffffff);
}

void transpose(const float*, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) not_a_number<<<(n + 255) / 256, 256>>>(out, n);
}
