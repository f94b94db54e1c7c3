// stage: transpose/open
// says: race_global
// Rows of the output are taken to be `cols` long: blocks store different elements to one place.
#include <cuda_runtime.h>

__global__ void overlapping(const float* in, float* out, int rows, int cols) {
    const long long i = blockIdx.x * 32ll + threadIdx.x;
    if (i >= static_cast<long long>(rows) * cols) return;
    const long long y = i / cols, x = i % cols, to = x * cols + y;
    if (to < static_cast<long long>(rows) * cols) out[to] = in[i];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) overlapping<<<(n + 31) / 32, 32>>>(in, out, rows, cols);
}
