// stage: transpose/open
// says: assertion
// Asserts that the matrix consists of whole tiles.
#include <cassert>

#include <cuda_runtime.h>

__global__ void whole_tiles(const float* in, float* out, int rows, int cols) {
    assert(rows % 32 == 0 && cols % 32 == 0);  // <--
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) whole_tiles<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
