// stage: stencil/wide_halo
// says: barrier_divergence
// The function that fills the tile waits at its end, and only threads with an element of the matrix call it.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int W = 32, H = 8, TW = W + 4, TH = H + 4;

__device__ void fill(float (*tile)[TW], float* weight, const float* in, const float* weights, int rows, int cols, int left, int top) {
    const int tid = threadIdx.y * W + threadIdx.x;
    if (tid < 25) weight[tid] = weights[tid];
    for (int i = tid; i < TW * TH; i += W * H) {
        const int y = top + i / TW - 2, x = left + i % TW - 2;
        tile[i / TW][i % TW] = y >= 0 && y < rows && x >= 0 && x < cols ? in[size_t(y) * cols + x] : 0.0f;
    }
    __syncthreads();  // <--
}

__global__ void guarded(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float tile[TH][TW], weight[25];
    const int across = (cols - 1) / W + 1, left = blockIdx.x % across * W, top = blockIdx.x / across * H;
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x < cols && y < rows) {
        fill(tile, weight, in, weights, rows, cols, left, top);
        float sum = 0;
        for (int k = 0; k < 25; ++k) sum += weight[k] * tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
        out[size_t(y) * cols + x] = sum;
    }
    __syncthreads();
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) guarded<<<((cols - 1) / W + 1) * ((rows - 1) / H + 1), dim3(W, H)>>>(in, weights, out, rows, cols);
}
