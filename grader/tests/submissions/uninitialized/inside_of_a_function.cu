// stage: transpose/padding
// says: uninitialized
// A function fills half of the tile, another one reads all of it.
#include <cuda_runtime.h>

struct Tile {
    float at[32][33];
    __device__ void fill(const float* in, int x, int y, int rows, int cols) {
        if (x < cols && y < rows && threadIdx.y < 16) at[threadIdx.y][threadIdx.x] = in[y * cols + x];
    }
    __device__ float turned() const {
        return at[threadIdx.x][threadIdx.y];  // <--
    }
};

__global__ void tiled(const float* in, float* out, int rows, int cols) {
    __shared__ Tile tile;
    const int across = (cols + 31) / 32, left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    int x = left + threadIdx.x, y = top + threadIdx.y;
    tile.fill(in, x, y, rows, cols);
    __syncthreads();
    x = top + threadIdx.x;
    y = left + threadIdx.y;
    if (x < rows && y < cols) out[y * rows + x] = tile.turned();
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((cols + 31) / 32) * ((rows + 31) / 32);
    if (tiles != 0) tiled<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
