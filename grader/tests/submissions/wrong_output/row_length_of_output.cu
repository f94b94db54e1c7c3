// stage: transpose/open
// says: wrong_output rows_cols_swapped
// Rows of the output are taken to be `cols` long; the place is kept inside, so that nothing else is wrong.
#include <cuda_runtime.h>

__global__ void rows_in_order(const float* in, float* out, int rows, int cols) {
    // One thread, so that places written twice are no race.
    for (int y = 0; y < rows; ++y)
        for (long long x = 0; x < cols; ++x)
            if (x * cols < rows * cols - y) out[x * cols + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    rows_in_order<<<1, 1>>>(in, out, rows, cols);
}
