// stage: transpose/dynamic_tile
// says: invalid_launch
// 64 KB of dynamic shared memory without cudaFuncSetAttribute.
#include <cuda_runtime.h>

__global__ void not_asked(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < rows * cols ? in[i] : 0.0f;
    if (i < rows * cols) out[i % cols * rows + i / cols] = tile[threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) not_asked<<<(n + 255) / 256, 256, 64 * 1024>>>(in, out, rows, cols);  // <--
}
