// stage: transpose/naive_read
// says: trap
// min(32, cols) is 0 where there are no columns, and the launcher divides by it.
#include <cuda_runtime.h>

__global__ void plain(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int y = blockIdx.y; y < rows; y += gridDim.y)
        if (x < cols) out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int threads = cols < 32 ? cols : 32;
    const int blocks = (cols + threads - 1) / threads;  // <--
    if (blocks == 0 || rows == 0) return;
    plain<<<dim3(blocks, rows < 60000 ? rows : 60000), threads>>>(in, out, rows, cols);
}
