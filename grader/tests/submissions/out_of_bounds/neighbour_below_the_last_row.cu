// stage: stencil/open
// says: out_of_bounds
// The guard of the rows is one too wide: the window reads a row below the last.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void wide(const float* in, const float* weights, float* out, int rows, int cols) {
    const int across = (cols + 63) / 64, x = blockIdx.x % across * 64 + threadIdx.x, y = blockIdx.x / across * 4 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    float sum = 0;
    for (int r = -2; r <= 2; ++r)
        for (int c = -2; c <= 2; ++c)
            if (y + r >= 0 && y + r <= rows && x + c >= 0 && x + c < cols)
                sum += weights[(r + 2) * 5 + c + 2] * in[size_t(y + r) * cols + x + c];  // <--
    out[size_t(y) * cols + x] = sum;
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) wide<<<((cols + 63) / 64) * ((rows + 3) / 4), dim3(64, 4)>>>(in, weights, out, rows, cols);
}
