// stage: transpose/open
// says: invalid_launch
// A block turns four columns that it has in shared memory: with very many rows that is more than there is.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void columns(const float* in, float* out, int rows, int cols) {
    extern __shared__ float part[];
    const int left = blockIdx.x * 4;
    for (size_t k = threadIdx.x; k < size_t(rows) * 4; k += 256)
        if (left + k % 4 < cols) part[k] = in[k / 4 * cols + left + k % 4];
    __syncthreads();
    for (size_t k = threadIdx.x; k < size_t(rows) * 4; k += 256)
        if (left + k / rows < cols) out[(left + k / rows) * rows + k % rows] = part[k % rows * 4 + k / rows];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) columns<<<(cols + 3) / 4, 256, size_t(rows) * 16>>>(in, out, rows, cols);  // <--
}
