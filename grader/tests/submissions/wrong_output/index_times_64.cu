// stage: transpose/naive_read
// says: wrong_output
// The place is counted in an unsigned number times 64: from 2^26 elements on it begins again.
#include <cuda_runtime.h>

__global__ void scaled(const float* in, float* out, int rows, int cols) {
    const unsigned x = blockIdx.x * 32 + threadIdx.x;
    for (unsigned y = blockIdx.y; y < (unsigned)rows; y += gridDim.y) {
        const unsigned at = (y * cols + x) * 64u;
        if (x < (unsigned)cols) out[(size_t)x * rows + y] = in[at >> 6];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    scaled<<<dim3((cols + 31) / 32, rows < 60000 ? rows : 60000), 32>>>(in, out, rows, cols);
}
