// Words in comments and strings are no calls.
#include <cuda_runtime.h>
#include <cstdio>

int helper(int n) { return n; }

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    // helper(3) <<< __shared__ std::min(1, 2)
    /* helper(4) */
    if (x > 1000000) printf("helper(5) <<<");
    out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    // __syncthreads(); atomicAdd(&rows, 1);
    if (helper(rows) < 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
