#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>

static int ceil_div(int a, int b)
{
    return a / b + (a % b > 1 ? 1 : 0);
}

__global__ void moveElements(const float *A, float *B, int m, int n)
{
    long long col = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long row = ((long long)blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y;
    if (row >= m) return;
    if (col >= n) return;
    B[col * m + row] = A[row * n + col];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows == 0) return;
    if (cols == 0) return;
    dim3 threads(32, 16);
    int bx = ceil_div(cols, 32), by = ceil_div(rows, 16);
    int bz = (by + 65534) / 65535;
    dim3 blocks(bx, (by + bz - 1) / bz, bz);
    moveElements<<<blocks, threads>>>(in, out, rows, cols);
}
