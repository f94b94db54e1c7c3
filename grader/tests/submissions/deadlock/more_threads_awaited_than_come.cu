// stage: transpose/open
// says: deadlock
// Two of four warps meet at a named barrier that waits for 96 threads.
#include <cuda_runtime.h>

__global__ void short_of_a_warp(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32, left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp < 2) {
        for (int r = warp; r < 32; r += 2)
            if (left + lane < cols && top + r < rows) tile[r][lane] = in[size_t(top + r) * cols + left + lane];
        asm volatile("bar.sync 1, 96;" ::: "memory");  // <--
        for (int c = warp; c < 32; c += 2)
            if (left + c < cols && top + lane < rows) out[size_t(left + c) * rows + top + lane] = tile[lane][c];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) short_of_a_warp<<<((cols + 31) / 32) * ((rows + 31) / 32), 128>>>(in, out, rows, cols);
}
