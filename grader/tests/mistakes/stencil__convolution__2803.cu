#include <cuda_runtime.h>
#include <cstddef>

#define RAD 2
#define WGT(dy, dx) weights[((dy) + RAD) * 5 + (dx) + RAD]

template <int BX, int BY>
__global__ void conv5(const float* __restrict__ src, const float* __restrict__ weights, float* __restrict__ dst, int rows,
                      int cols) {
    const int nx = (cols + BX - 1) / BX;
    const int col = blockIdx.x % nx * BX + threadIdx.x;
    const int row = blockIdx.x / nx * BY + threadIdx.y;
    if (row >= rows || col >= cols) return;
    float total = 0;
    for (int dy = -RAD; dy < RAD; ++dy) {
        for (int dx = -RAD; dx <= RAD; ++dx) {
            const int r = row + dy, c = col + dx;
            if (r < 0 || r >= rows || c < 0 || c >= cols) continue;
            total += WGT(dy, dx) * src[(size_t)r * cols + c];
        }
    }
    dst[(size_t)row * cols + col] = total;
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int blocks = ((cols + 31) / 32) * ((rows + 7) / 8);
    conv5<32, 8><<<blocks, dim3(32, 8)>>>(in, weights, out, rows, cols);
}
