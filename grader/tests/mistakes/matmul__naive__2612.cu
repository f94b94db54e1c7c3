#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tilesAcross = (N + 31) / 32;
    int col = (blockIdx.x % tilesAcross) * 32 + threadIdx.x;
    int row = (blockIdx.x / tilesAcross) * 8 + threadIdx.y;
    if (row >= M || col >= N) return;
    size_t where = (size_t)row * N + col;
    int k = 0;
    while (k < K) {
        C[where] += A[(size_t)row * K + k] * B[(size_t)k * N + col];
        k++;
    }
}

void matmul(const float *a, const float *b, float *c, int rows, int cols, int depth)
{
    if (rows == 0 || cols == 0) return;
    int blocks = ((cols + 31) / 32) * ((rows + 7) / 8);
    dim3 tpb(32, 8);
    mm<<<blocks, tpb>>>(a, b, c, rows, cols, depth);
}
