// stage: transpose/open
// says: not_written indices_swapped
// The launcher gives x the tiles of the rows, and the kernel takes x for columns.
#include <cuda_runtime.h>

__global__ void direct(const float* in, float* out, int rows, int cols, int across) {
    const int x = blockIdx.x % across * 32 + threadIdx.x, y = blockIdx.x / across * 32 + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int across = (rows + 31) / 32, down = (cols + 31) / 32;
    if (across * down != 0) direct<<<across * down, dim3(32, 32)>>>(in, out, rows, cols, across);
}
