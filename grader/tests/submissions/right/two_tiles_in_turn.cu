// stage: transpose/open
// A block walks through several tiles with two buffers, so that one barrier a tile is enough.
#include <cuda_runtime.h>

__global__ void walk(const float* in, float* out, int rows, int cols, int tiles) {
    __shared__ float buffer[2][32][33];
    const int across = (cols + 31) / 32;
    int turn = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, turn ^= 1) {
        const int left = t % across * 32, top = t / across * 32;
        for (int j = threadIdx.y; j < 32; j += 8)
            if (left + threadIdx.x < cols && top + j < rows)
                buffer[turn][j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            if (top + threadIdx.x < rows && left + j < cols)
                out[(left + j) * rows + top + threadIdx.x] = buffer[turn][threadIdx.x][j];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) walk<<<min(tiles, 40), dim3(32, 8)>>>(in, out, rows, cols, tiles);
}
