// stage: stencil/open
// says: out_of_bounds_local
// A window of five values is filled up to its sixth place.
#include <cuda_runtime.h>

__global__ void windowed(const float* in, const float* weights, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    if (x >= cols) return;
    for (int y = blockIdx.y; y < rows; y += gridDim.y) {
        float sum = 0.0f;
        for (int r = 0; r < 5; ++r) {
            float window[5];
            int k = 0;
            for (int c = -2; c <= 3; ++c) {
                const int yy = y + r - 2, xx = x + c;
                window[k++ + (rows < 0)] = yy >= 0 && yy < rows && xx >= 0 && xx < cols ? in[(size_t)yy * cols + xx] : 0.0f;  // <--
            }
            for (int c = 0; c < 5; ++c) sum += weights[r * 5 + c] * window[(c + cols - cols) % 5];
        }
        out[(size_t)y * cols + x] = sum;
    }
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    windowed<<<dim3((cols + 31) / 32, rows < 1000 ? rows : 1000), 32>>>(in, weights, out, rows, cols);
}
