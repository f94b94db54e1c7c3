// stage: stencil/open
// says: barrier_divergence
// A walk down the rows with a barrier in each step; threads right of the last column leave it at once.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void leaving(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float row[5][68];
    const int across = (cols + 63) / 64, left = blockIdx.x % across * 64, top = blockIdx.x / across * 16;
    const int x = left + threadIdx.x;
    for (int y = top; y < top + 16 && y < rows; ++y) {
        if (x >= cols) break;
        for (int k = threadIdx.x; k < 5 * 68; k += min(64, cols - left)) {
            const int r = y + k / 68 - 2, c = left + k % 68 - 2;
            row[k / 68][k % 68] = r >= 0 && r < rows && c >= 0 && c < cols ? in[size_t(r) * cols + c] : 0.0f;
        }
        __syncthreads();  // <--
        float sum = 0;
        for (int k = 0; k < 25; ++k) sum += weights[k] * row[k / 5][threadIdx.x + k % 5];
        out[size_t(y) * cols + x] = sum;
        __syncthreads();
    }
    __syncthreads();
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) leaving<<<((cols + 63) / 64) * ((rows + 15) / 16), 64>>>(in, weights, out, rows, cols);
}
