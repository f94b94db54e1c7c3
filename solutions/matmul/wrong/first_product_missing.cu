// expect: stage=naive verdict=wrong kind=wrong_output pattern=first_product_missing
// The loop starts at 1.

#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 32;  // a warp is 32 columns of one row of c
constexpr int HIGH = 8;

__global__ void naive(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    const int block = blockIdx.x;
    const int across = (cols - 1) / WIDE + 1;
    const int x = block % across * WIDE + threadIdx.x;
    const int y = block / across * HIGH + threadIdx.y;
    if (x >= cols || y >= rows) return;

    float sum = 0.0f;
    for (int p = 1; p < depth; ++p) {
        sum += a[static_cast<std::size_t>(y) * depth + p] * b[static_cast<std::size_t>(p) * cols + x];
    }
    c[static_cast<std::size_t>(y) * cols + x] = sum;
}

// Tiles are numbered row by row. Only x may have more than 65535 blocks, so all of them are in x.
static int tiles_for(int rows, int cols) { return ((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1); }

// Without products, depth 0, every element is the sum of nothing: 0.
void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    naive<<<tiles_for(rows, cols), dim3(WIDE, HIGH)>>>(a, b, c, rows, cols, depth);
}
