// stage: transpose/open
// says: compiler
// The launcher copies with cudaMemcpy2D, column by column.
#include <cuda_runtime.h>

void transpose(const float* in, float* out, int rows, int cols) {
    for (int x = 0; x < cols; ++x)
        cudaMemcpy2D(out + x * rows, 4, in + x, 4 * cols, 4, rows, cudaMemcpyDeviceToDevice);  // <--
}
