#include <cuda_runtime.h>

#define ROWS_PER_STEP 8

__global__ void dyn(const float* in, float* out, int rows, int cols) {
    extern __shared__ float buf[];
    int t = blockDim.x;
    int pitch = t + 1;
    int bx = blockIdx.x;
    int by = blockIdx.z * gridDim.y + blockIdx.y;
    int x = bx * t + threadIdx.x;
    int y = by * t + threadIdx.y;
#pragma unroll 4
    for (int k = 0; k < t; k += ROWS_PER_STEP)
        if (x < cols && y + k < rows)
            buf[(threadIdx.y + k) * pitch + threadIdx.x] = in[(size_t)(y + k) * cols + x];
    __syncthreads();
    x = by * t + threadIdx.x;
    y = bx * t + threadIdx.y;
#pragma unroll 4
    for (int k = 0; k < t; k += ROWS_PER_STEP)
        if (x < rows && y + k < cols)
            out[(size_t)(y + k) * rows + x] = buf[threadIdx.x * pitch + threadIdx.y + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    int t = (rows >= 64 && cols >= 64) ? 36 : 32;
    int gx = (cols + t - 1) / t, gy = (rows + t - 1) / t;
    int gz = (gy + 65534) / 65535;
    dim3 grid(gx, (gy + gz - 1) / gz, gz), block(t, ROWS_PER_STEP);
    size_t bytes = t * (t + 1) * sizeof(float);
    dyn<<<grid, block, bytes>>>(in, out, rows, cols);
}
