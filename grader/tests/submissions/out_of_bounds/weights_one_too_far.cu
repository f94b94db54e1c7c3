// stage: stencil/five_points
// says: out_of_bounds
// A table of five weights in constant memory is read by an index that goes up to five.
#include <cuda_runtime.h>

#include <cstddef>

__constant__ float weight[5] = {1, 1, -4, 1, 1};

__global__ void tabled(const float* in, float* out, int rows, int cols, int count) {
    const int across = (cols + 31) / 32, x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 8 + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const int dy[6] = {-1, 0, 0, 0, 1, 0}, dx[6] = {0, -1, 0, 1, 0, 0};
    float sum = 0;
    for (int k = 0; k <= count; ++k) {
        const int r = y + dy[k], c = x + dx[k];
        if (r >= 0 && r < rows && c >= 0 && c < cols) sum += weight[k] * in[size_t(r) * cols + c];  // <--
    }
    out[size_t(y) * cols + x] = sum;
}

void stencil(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) tabled<<<((cols + 31) / 32) * ((rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols, 5);
}
