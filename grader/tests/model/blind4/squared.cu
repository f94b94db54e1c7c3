// The input times itself (square shapes): each thread an element, or tiles in shared memory, or registers. TILE 0: naive.
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 0
#endif
#ifndef SIDE
#define SIDE 32
#endif
#ifndef EACH
#define EACH 1
#endif

#if TILE == 0
__global__ void product(const float* in, float* out, int n) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n) return;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += in[row * n + k] * in[k * n + col];
    out[row * n + col] = sum;
}
void transpose(const float* in, float* out, int rows, int cols) {
    product<<<dim3((cols + SIDE - 1) / SIDE, (rows + SIDE / EACH - 1) / (SIDE / EACH)), dim3(SIDE, SIDE / EACH)>>>(in, out, cols);
}
#else
__global__ void product(const float* in, float* out, int n) {
    __shared__ float a[SIDE][SIDE], b[SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int col = blockIdx.x * SIDE + x, row = blockIdx.y * SIDE + y;
    float sum[EACH] = {};
    for (int first = 0; first < n; first += SIDE) {
        for (int e = 0; e < EACH; ++e) {
            const int line = y + e * (SIDE / EACH), r = row + e * (SIDE / EACH);
            a[line][x] = r < n && first + x < n ? in[r * n + first + x] : 0;
            b[line][x] = first + line < n && col < n ? in[(first + line) * n + col] : 0;
        }
        __syncthreads();
        for (int k = 0; k < SIDE; ++k)
            for (int e = 0; e < EACH; ++e) sum[e] += a[y + e * (SIDE / EACH)][k] * b[k][x];
        __syncthreads();
    }
    for (int e = 0; e < EACH; ++e)
        if (row + e * (SIDE / EACH) < n && col < n) out[(row + e * (SIDE / EACH)) * n + col] = sum[e];
}
void transpose(const float* in, float* out, int rows, int cols) {
    product<<<dim3((cols + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE), dim3(SIDE, SIDE / EACH)>>>(in, out, cols);
}
#endif
