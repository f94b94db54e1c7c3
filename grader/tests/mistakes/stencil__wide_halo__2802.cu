#include <cuda_runtime.h>
#include <cstddef>

constexpr int BW = 32, BH = 8, R = 2, K = 5;

__global__ void conv_tile(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float box[BH + 2 * R][BW + 2 * R];
    __shared__ float w[K * K];
    const int nb = (cols - 1) / BW + 1;
    const int x0 = blockIdx.x % nb * BW;
    const int y0 = blockIdx.x / nb * BH;
    const int t = threadIdx.y * BW + threadIdx.x;

    int p = t;
    while (p < (BH + 2 * R) * (BW + 2 * R)) {
        const int ty = p / (BW + 2 * R), tx = p % (BW + 2 * R);
        const int yy = y0 + ty - 1, xx = x0 + tx - 1;
        float v = 0.0f;
        if (yy >= 0 && yy < rows && xx >= 0 && xx < cols) v = in[(size_t)yy * cols + xx];
        box[ty][tx] = v;
        p += BW * BH;
    }
    if (t < K * K) w[t] = weights[t];
    __syncthreads();

    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < cols && y < rows) {
        float acc = 0.0f;
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) acc += w[i * K + j] * box[threadIdx.y + i][threadIdx.x + j];
        out[(size_t)y * cols + x] = acc;
    }
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    conv_tile<<<((cols - 1) / BW + 1) * ((rows - 1) / BH + 1), dim3(BW, BH)>>>(in, weights, out, rows, cols);
}
