// stage: transpose/open
// says: race_shared
// A tile that is used again in a loop: the next load may overtake the last store's reads.
#include <cuda_runtime.h>

__global__ void one_barrier(const float* in, float* out, int rows, int cols, int tiles) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        const int left = t % across * 32, top = t / across * 32;
        for (int j = threadIdx.y; j < 32; j += 8)
            if (left + threadIdx.x < cols && top + j < rows)
                tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];  // <--
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += 8)
            if (top + threadIdx.x < rows && left + j < cols)
                out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];  // <--
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) one_barrier<<<min(tiles, 3), dim3(32, 8)>>>(in, out, rows, cols, tiles);
}
