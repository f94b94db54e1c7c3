// stage: transpose/open
// says: race_global
// Two halves of a warp exchange values through the output, with nothing between the store and the load.
#include <cuda_runtime.h>

__global__ void swapped(const float* in, float* out, int rows, int cols) {
    const size_t n = (size_t)rows * cols;
    for (size_t i = blockIdx.x * 32ull + threadIdx.x; i < n; i += gridDim.x * 32ull) {
        const size_t to = i % cols * rows + i / cols;
        out[to] = in[i];  // <--
        const size_t j = i ^ 1;
        if (j < n && out[j % cols * rows + j / cols] == 123456.75f) out[to] = in[i] + 0.0f;  // <--
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    swapped<<<256, 32>>>(in, out, rows, cols);
}
