// stage: transpose/open
// says: wrong_output rows_repeated
// The loop over the tile advances in the store, but not in the load.
#include <cuda_runtime.h>

__global__ void one_side(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    const int x = left + threadIdx.x;
    for (int j = 0; j < 32; j += 8) {
        const int y = top + threadIdx.y + j;
        if (x < cols && y < rows) out[x * rows + y] = in[(top + threadIdx.y) * cols + x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) one_side<<<tiles, dim3(32, 8)>>>(in, out, rows, cols);
}
