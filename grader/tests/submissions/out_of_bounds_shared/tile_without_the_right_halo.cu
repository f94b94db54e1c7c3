// stage: stencil/wide_halo
// says: out_of_bounds_shared
// The tile has room for the halo above, below and to the left, and rows of one size too small: the last window ends behind it.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int W = 32, H = 8;

__global__ void narrow(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float weight[25];
    __shared__ float tile[(H + 4) * (W + 2)];
    const int across = (cols - 1) / W + 1, left = blockIdx.x % across * W, top = blockIdx.x / across * H;
    const int tid = threadIdx.y * W + threadIdx.x;
    if (tid < 25) weight[tid] = weights[tid];
    for (int i = tid; i < (H + 4) * (W + 4); i += W * H) {
        const int y = top + i / (W + 4) - 2, x = left + i % (W + 4) - 2;
        tile[i] = y >= 0 && y < rows && x >= 0 && x < cols ? in[size_t(y) * cols + x] : 0.0f;  // <--
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 25; ++k) sum += weight[k] * tile[(threadIdx.y + k / 5) * (W + 4) + threadIdx.x + k % 5];
    if (left + threadIdx.x < cols && top + threadIdx.y < rows) out[size_t(top + threadIdx.y) * cols + left + threadIdx.x] = sum;
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) narrow<<<((cols - 1) / W + 1) * ((rows - 1) / H + 1), dim3(W, H)>>>(in, weights, out, rows, cols);
}
