// stage: transpose/open
// says: invalid_launch
// 300 KB of dynamic shared memory, more than any multiprocessor has; the attribute call fails as well.
#include <cuda_runtime.h>

__global__ void greedy(const float* in, float* out, int rows, int cols) {
    extern __shared__ float tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < rows * cols ? in[i] : 0.0f;
    if (i < rows * cols) out[i % cols * rows + i / cols] = tile[threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n == 0) return;
    cudaFuncSetAttribute(greedy, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 * 1024);
    greedy<<<(n + 255) / 256, 256, 300 * 1024>>>(in, out, rows, cols);  // <--
}
