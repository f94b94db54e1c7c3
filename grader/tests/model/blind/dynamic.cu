// A tile of dynamic shared memory whose pitch is known at the launch, and threads in a line that share its elements out.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 32
#endif
#ifndef TILE_COLS
#define TILE_COLS 32
#endif
#ifndef PAD
#define PAD 1
#endif

__global__ void __launch_bounds__(THREADS) shared_out(const float* in, float* out, int rows, int cols, int pitch) {
    extern __shared__ float tile[];
    const int top = (blockIdx.z * gridDim.y + blockIdx.y) * TILE_ROWS, left = blockIdx.x * TILE_COLS;
    for (int i = threadIdx.x; i < TILE_ROWS * TILE_COLS; i += THREADS) {
        const int r = i / TILE_COLS, c = i % TILE_COLS;
        if (top + r < rows && left + c < cols) tile[r * pitch + c] = in[static_cast<std::size_t>(top + r) * cols + left + c];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE_ROWS * TILE_COLS; i += THREADS) {
        const int c = i / TILE_ROWS, r = i % TILE_ROWS;
        if (top + r < rows && left + c < cols) out[static_cast<std::size_t>(left + c) * rows + top + r] = tile[r * pitch + c];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / TILE_COLS + 1, down = (rows - 1) / TILE_ROWS + 1, folds = (down - 1) / 65535 + 1;
    const int pitch = TILE_COLS + PAD;
    shared_out<<<dim3(across, (down - 1) / folds + 1, folds), THREADS, TILE_ROWS * pitch * sizeof(float)>>>(in, out, rows, cols, pitch);
}
