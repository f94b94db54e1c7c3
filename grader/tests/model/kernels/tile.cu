// A tile through shared memory: TILE x TILE floats at a pitch of TILE + PAD, moved by TILE x ROWS threads.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS TILE
#endif
#ifndef PAD
#define PAD 1
#endif
#ifndef UNROLL
#define UNROLL (TILE / ROWS)
#endif
#ifndef SHARED
#define SHARED 0  // bytes of shared memory a block asks for beside the tile and leaves: fewer blocks fit
#endif
#ifndef SWAPPED
#define SWAPPED 0  // 1: blocks walk down the columns of the input
#endif

constexpr int STEPS_AT_ONCE = UNROLL;

__global__ void __launch_bounds__(TILE* ROWS) through_tile(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TILE][TILE + PAD];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int tile_col = SWAPPED ? down : across, tile_row = SWAPPED ? across : down;

    int x = tile_col * TILE + threadIdx.x;
    int y = tile_row * TILE + threadIdx.y;
#pragma unroll STEPS_AT_ONCE
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];
    }
    __syncthreads();
    x = tile_row * TILE + threadIdx.x;
    y = tile_col * TILE + threadIdx.y;
#pragma unroll STEPS_AT_ONCE
    for (int j = 0; j < TILE; j += ROWS) {
        if (x < rows && y + j < cols) out[static_cast<std::size_t>(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = ((SWAPPED ? rows : cols) - 1) / TILE + 1, down = ((SWAPPED ? cols : rows) - 1) / TILE + 1;
    const int folds = (down - 1) / 65535 + 1;
    through_tile<<<dim3(across, (down - 1) / folds + 1, folds), dim3(TILE, ROWS), SHARED>>>(in, out, rows, cols);
}
