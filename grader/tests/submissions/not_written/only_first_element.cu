// stage: transpose/open
// says: not_written only_first_element
// x and y are the same for every thread.
#include <cuda_runtime.h>

__global__ void same_place(const float* in, float* out, int rows, int cols) {
    const int x = 0, y = 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows * cols != 0) same_place<<<4, 32>>>(in, out, rows, cols);
}
