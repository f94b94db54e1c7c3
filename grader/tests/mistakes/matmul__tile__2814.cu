#include <cuda_runtime.h>
#include <cstddef>

constexpr int TS = 16;

__global__ void mm(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float As[TS][TS];
    __shared__ float Bs[TS][TS];
    const int nx = (N + TS - 1) / TS;
    const int col = blockIdx.x % nx * TS + threadIdx.x;
    const int row = blockIdx.x / nx * TS + threadIdx.y;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TS) {
        As[threadIdx.y][threadIdx.x] = row < M && k0 + threadIdx.x < K ? A[(size_t)row * K + k0 + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = k0 + threadIdx.y < K && col < N ? B[(size_t)(k0 + threadIdx.y) * N + col] : 0.0f;
        __syncthreads();
        if (row >= M) continue;
        for (int k = 0; k < TS; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[(size_t)row * N + col] = acc;
}

void matmul(const float* a, const float* b, float* c, int rows, int cols, int depth) {
    if (rows == 0 || cols == 0) return;
    mm<<<((cols + TS - 1) / TS) * ((rows + TS - 1) / TS), dim3(TS, TS)>>>(a, b, c, rows, cols, depth);
}
