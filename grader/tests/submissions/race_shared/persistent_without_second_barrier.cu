// stage: transpose/open
// says: race_shared
// Blocks that stay fill the tile again while slow warps still empty it.
#include <cuda_runtime.h>

__global__ void persistent(const float* in, float* out, int rows, int cols, int across, int tiles) {
    __shared__ float tile[32][33];
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int r0 = t / across * 32, c0 = t % across * 32, x = threadIdx.x;
        for (int j = threadIdx.y; j < 32; j += 8)
            if (r0 + j < rows && c0 + x < cols) tile[j][x] = in[(size_t)(r0 + j) * cols + c0 + x];  // <--
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            if (c0 + j < cols && r0 + x < rows) out[(size_t)(c0 + j) * rows + r0 + x] = tile[x][j];  // <--
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    persistent<<<tiles > 2 ? tiles / 2 : 1, dim3(32, 8)>>>(in, out, rows, cols, across, tiles);
}
