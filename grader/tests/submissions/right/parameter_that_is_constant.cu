// stage: transpose/coarsening
// A structure as __grid_constant__ parameter, and hints for the caches.
#include <cuda_runtime.h>

// A grid has 65535 blocks at most in y: more fold into z.
static dim3 folded(int across, int down) {
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}
__device__ int block_row() { return blockIdx.z * gridDim.y + blockIdx.y; }
#ifndef THREADS
#define THREADS 256
#endif
struct Matrix { const float* in; float* out; int rows, cols; };
constexpr int kTile = 32;
__global__ void __launch_bounds__(THREADS, 1) turn(const __grid_constant__ Matrix m) {
    __shared__ float tile[kTile][kTile + 1];
    constexpr int kRows = THREADS / kTile;
    static_assert(kRows > 0);
    const int tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
    const int x = blockIdx.x * kTile + tx, y = block_row() * kTile + ty;
    __builtin_assume(m.cols > 0);
#pragma unroll
    for (int j = 0; j < kTile; j += kRows)
        if (x < m.cols && y + j < m.rows) tile[ty + j][tx] = __ldcs(m.in + size_t(y + j) * m.cols + x);
    __syncthreads();
    const int ox = block_row() * kTile + tx, oy = blockIdx.x * kTile + ty;
#pragma unroll
    for (int j = 0; j < kTile; j += kRows)
        if (ox < m.rows && oy + j < m.cols) __stwt(m.out + size_t(oy + j) * m.rows + ox, tile[tx][ty + j]);
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const Matrix m{in, out, rows, cols};
    turn<<<folded((cols + 31) / 32, (rows + 31) / 32), THREADS>>>(m);
}
