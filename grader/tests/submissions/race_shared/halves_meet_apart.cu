// stage: stencil/halo
// says: race_shared
// Each half of the block meets at a named barrier of its own, and reads what the other half has stored.
#include <cuda_runtime.h>
__device__ float five_points(const float (*t)[34], int r, int c) {
    const float beside = t[r - 1][c] + t[r + 1][c] + t[r][c - 1] + t[r][c + 1];  // <--
    return beside - 4 * t[r][c];
}
__global__ void st(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[10][34];
    const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1, tid = threadIdx.y * 32 + threadIdx.x;
    for (int i = tid; i < 340; i += 256) {
        const int y = y0 + i / 34, x = x0 + i % 34;
        tile[i / 34][i % 34] = y >= 0 && y < rows && x >= 0 && x < cols ? in[size_t(y) * cols + x] : 0; // <--
    }
    // Each half of the block meets at a barrier of its own.
    if (threadIdx.y < 4) asm volatile("bar.sync 1, 128;" ::: "memory"); else asm volatile("bar.sync 2, 128;" ::: "memory");
    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x < cols && y < rows)
        out[size_t(y) * cols + x] = five_points(tile, threadIdx.y + 1, threadIdx.x + 1);
}
void stencil(const float* in, float* out, int rows, int cols) {
    if (rows && cols) st<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
