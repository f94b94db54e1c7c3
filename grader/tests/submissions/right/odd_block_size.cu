// stage: transpose/open
// 45 threads a block: the second warp has 13 lanes.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) scatter<<<(n + 44) / 45, 45>>>(in, out, rows, cols);
}
