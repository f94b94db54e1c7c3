// Tiles in an order of the program's own. GROUP 0: along a Z, whose blocks outside the matrix return at once; else
// GROUP rows of tiles together, down each column of these.
#include <cuda_runtime.h>

#ifndef GROUP
#define GROUP 0
#endif

constexpr int SIDE = 32, BAND = 16;

__device__ __forceinline__ int every_other_bit(unsigned bits) {
    bits &= 0x55555555u;
    bits = (bits | bits >> 1) & 0x33333333u;
    bits = (bits | bits >> 2) & 0x0f0f0f0fu;
    bits = (bits | bits >> 4) & 0x00ff00ffu;
    return static_cast<int>((bits | bits >> 8) & 0x0000ffffu);
}

__global__ void __launch_bounds__(SIDE* BAND)
    own_order(const float* in, float* out, int rows, int cols, int across, int down) {
    __shared__ float tile[SIDE][SIDE + 1];
#if GROUP
    const int group = blockIdx.x / (GROUP * across), inside = blockIdx.x % (GROUP * across);
    const int height = down - group * GROUP < GROUP ? down - group * GROUP : GROUP;
    const int tile_row = group * GROUP + inside % height, tile_col = inside / height;
#else
    const int tile_row = every_other_bit(blockIdx.x >> 1), tile_col = every_other_bit(blockIdx.x);
    if (tile_row >= down || tile_col >= across) return;
#endif
    int x = tile_col * SIDE + threadIdx.x, y = tile_row * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += BAND)
        if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = tile_row * SIDE + threadIdx.x;
    y = tile_col * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += BAND)
        if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int across = (cols + SIDE - 1) / SIDE, down = (rows + SIDE - 1) / SIDE;
    int side = 1;
    while (side < across || side < down) side *= 2;
    own_order<<<GROUP ? across * down : side * side, dim3(SIDE, BAND)>>>(in, out, rows, cols, across, down);
}
