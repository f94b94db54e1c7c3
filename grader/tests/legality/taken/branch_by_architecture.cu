// __CUDA_ARCH__ decides.
#include <cuda_runtime.h>

__host__ __device__ int lanes() {
#ifdef __CUDA_ARCH__
    return __popc(__activemask()) > 0 ? 32 : 0;
#else
    return 32;
#endif
}

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    if (lanes() != 32) return;
    out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
