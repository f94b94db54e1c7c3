// stage: transpose/open
// An assertion, and a print with a trap behind it, in a branch that some lanes take: all of them meet at the barrier.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>
__device__ int marks;
__global__ void checked(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (r0 + j < rows && c0 + x < cols) {
            assert(marks == 0);
            tile[j][x] = in[static_cast<size_t>(r0 + j) * cols + c0 + x];
            if (marks == 123) {
                printf("no\n");
                __trap();
            }
        }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<size_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    checked<<<across * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols, across);
}
