#include <cuda_runtime.h>
#include <cstddef>
#define T 32

__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    int gx = (N + T - 1) / T;
    int bx = blockIdx.x % gx, by = blockIdx.x / gx;
    int row = by * T + threadIdx.y;
    int col = bx * T + threadIdx.x;
    int phases = (K + T - 1) / T;
    float acc = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        int ka = ph * T + threadIdx.x, kb = ph * T + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ka < K) ? A[(size_t)row * K + ka] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (kb < K && col < N) ? B[(size_t)kb * N + col] : 0.0f;
        __syncthreads();
        int len = ph == phases - 1 ? K % T : T;
        for (int k = 0; k < len; ++k)
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[(size_t)row * N + col] = acc;
}

void matmul(const float *a, const float *b, float *c, int rows, int cols, int depth)
{
    if (rows < 1 || cols < 1) return;
    int gx = (cols + T - 1) / T, gy = (rows + T - 1) / T;
    mm<<<gx * gy, dim3(T, T)>>>(a, b, c, rows, cols, depth);
}
