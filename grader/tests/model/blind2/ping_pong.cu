// Two tiles in turn, so that one barrier a tile is enough. Tiles are numbered down the columns; a block takes TILES
// that follow each other or, with CYCLIC, every CYCLIC-th.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif
#ifndef TILES
#define TILES 8
#endif
#ifndef CYCLIC
#define CYCLIC 0
#endif

constexpr int SIDE = 32, BAND = THREADS / SIDE;

__global__ void __launch_bounds__(THREADS)
    in_turn(const float* in, float* out, int rows, int cols, int down, int tiles) {
    __shared__ float tile[2][SIDE][SIDE + 1];
    const int lane = threadIdx.x % SIDE, row = threadIdx.x / SIDE;
    const int first = CYCLIC ? blockIdx.x : blockIdx.x * TILES, step = CYCLIC ? gridDim.x : 1;
    const int end = CYCLIC || first + TILES > tiles ? tiles : first + TILES;
    int turn = 0;
    for (int number = first; number < end; number += step) {
        const int left = number / down * SIDE, top = number % down * SIDE;
        for (int j = row; j < SIDE; j += BAND)
            if (left + lane < cols && top + j < rows) tile[turn][j][lane] = in[(top + j) * cols + left + lane];
        __syncthreads();
        for (int j = row; j < SIDE; j += BAND)
            if (top + lane < rows && left + j < cols) out[(left + j) * rows + top + lane] = tile[turn][lane][j];
        turn = 1 - turn;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int down = (rows + SIDE - 1) / SIDE, tiles = (cols + SIDE - 1) / SIDE * down;
    in_turn<<<CYCLIC ? CYCLIC : (tiles + TILES - 1) / TILES, THREADS>>>(in, out, rows, cols, down, tiles);
}
