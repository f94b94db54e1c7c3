// stage: transpose/open
// says: wrong_output
// What is one row, or as good as one, is copied. Only a matrix of some rows and very many columns shows the second
// half of the condition.
#include <cuda_runtime.h>

__global__ void copy(const float* in, float* out, size_t n) {
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) out[i] = in[i];
}
__global__ void turn(const float* in, float* out, int rows, int cols) {
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < size_t(rows) * cols; i += gridDim.x * 256ull)
        out[i] = in[i % rows * cols + i / rows];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    if (rows == 1 || cols / rows > 20000)
        copy<<<64, 256>>>(in, out, size_t(rows) * cols);
    else
        turn<<<256, 256>>>(in, out, rows, cols);
}
