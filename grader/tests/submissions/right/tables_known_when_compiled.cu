// stage: transpose/open
// constexpr tables: made by a function, indexed by constants and by threads.
#include <cuda_runtime.h>

struct Table {
    unsigned char at[64] = {};
};

constexpr Table bits_reversed() {
    Table table;
    for (int i = 0; i < 64; ++i)
        for (int b = 0; b < 6; ++b)
            if (i >> b & 1) table.at[i] |= 1 << (5 - b);
    return table;
}

__constant__ constexpr Table order = bits_reversed();

__global__ void in_odd_order(const float* in, float* out, int rows, int cols, int tiles_x, int tiles) {
    static constexpr int rows_of_thread[] = {0, 8, 16, 24};
    __shared__ float tile[32][33];
    // 64 tiles in a row are taken in bit-reversed order.
    const int mine = blockIdx.x / 64 * 64 + order.at[blockIdx.x % 64];
    if (mine >= tiles) return;
    const int left = mine % tiles_x * 32, top = mine / tiles_x * 32;
#pragma unroll
    for (const int j : rows_of_thread) {
        const int y = threadIdx.y + j;
        if (left + threadIdx.x < cols && top + y < rows)
            tile[y][threadIdx.x] = in[static_cast<size_t>(top + y) * cols + left + threadIdx.x];
    }
    __syncthreads();
#pragma unroll
    for (const int j : rows_of_thread) {
        const int y = threadIdx.y + j;
        if (top + threadIdx.x < rows && left + y < cols)
            out[static_cast<size_t>(left + y) * rows + top + threadIdx.x] = tile[threadIdx.x][y];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles_x = (cols + 31) / 32, tiles = tiles_x * ((rows + 31) / 32);
    if (tiles > 0) in_odd_order<<<(tiles + 63) / 64 * 64, dim3(32, 8)>>>(in, out, rows, cols, tiles_x, tiles);
}
