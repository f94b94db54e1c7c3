// stage: stencil/open
// says: out_of_bounds_local
// The ring of five rows in registers is indexed by a number that reaches five.
#include <cuda_runtime.h>

__global__ void ring(const float* in, const float* w, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    if (x >= cols) return;
    float row[5];
    const int y = blockIdx.y;
    float sum = 0;
    for (int c = 0; c < 5; ++c) {
        const int u = x + c - 2;
        for (int r = 0; r < 5; ++r) {
            const int v = y + r - 2;
            row[r] = u >= 0 && u < cols && v >= 0 && v < rows ? in[v * cols + u] : 0;
        }
        for (int r = 0; r < 5; ++r) sum += w[r * 5 + c] * row[(r + rows) % 6];  // <--
    }
    out[y * cols + x] = sum;
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) ring<<<dim3((cols + 31) / 32, rows), 32>>>(in, weights, out, rows, cols);
}
