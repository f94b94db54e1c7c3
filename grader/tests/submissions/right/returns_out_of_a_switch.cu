// stage: transpose/open
// Threads may leave, or stop, out of the cases of a switch in a loop; none does, and all meet at the barrier.
#include <cuda_runtime.h>
__device__ int marks;
__global__ void by_cases(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) {
        if (r0 + j >= rows || c0 + x >= cols) continue;
        const float v = in[static_cast<size_t>(r0 + j) * cols + c0 + x];
        switch (x & 7) {
            case 0: if (marks > 5) return; tile[j][x] = v; break;
            case 1: tile[j][x] = v; if (marks > 6) { atomicAdd(&marks, 1); return; } break;
            case 2: case 3: if (marks < 0) __trap(); tile[j][x] = v; break;
            case 4: tile[j][x] = v; break;
            default: if (marks == 9) return; tile[j][x] = v;
        }
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<size_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    by_cases<<<across * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols, across);
}
