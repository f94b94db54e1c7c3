// stage: transpose/padding
// The launch by cudaLaunchKernelEx with a configuration, in place of the angle brackets.
#include <cuda_runtime.h>

__global__ void __maxnreg__(64) padded(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (r0 + j < rows && c0 + x < cols) tile[j][x] = in[static_cast<size_t>(r0 + j) * cols + c0 + x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<size_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(across * ((rows + 31) / 32));
    config.blockDim = dim3(32, 8);
    config.dynamicSmemBytes = 0;
    config.stream = 0;
    cudaLaunchKernelEx(&config, padded, in, out, rows, cols, across);
}
