// stage: transpose/padding
// Threads of the last columns may leave in the middle of a branch, behind a mark; all the others meet at the barrier.
#include <cuda_runtime.h>

__device__ int marks;

__global__ void may_leave(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (r0 + j < rows && c0 + x < cols) {
            const size_t i = static_cast<size_t>(r0 + j) * cols + c0 + x;
            if (i >= static_cast<size_t>(rows) * cols) {
                atomicAdd(&marks, 1);
                return;
            }
            if (out == nullptr && x > 3) __trap();
            tile[j][x] = in[i];
        }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<size_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    may_leave<<<across * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols, across);
}
