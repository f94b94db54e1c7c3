// stage: transpose/open
// says: wrong_output zeros
// The output is set to zero and nothing more.
#include <cuda_runtime.h>

void transpose(const float*, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) cudaMemsetAsync(out, 0, sizeof(float) * rows * cols);
}
