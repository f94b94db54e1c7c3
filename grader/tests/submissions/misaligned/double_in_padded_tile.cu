// stage: transpose/open
// says: misaligned
// Pairs of floats are read from rows of 33: every second row starts in the middle of a pair.
#include <cuda_runtime.h>

__global__ void pairs(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(16) float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    const int y = top + threadIdx.x, x = left + threadIdx.y;
    tile[threadIdx.x][threadIdx.y] = x < cols && y < rows ? in[y * cols + x] : 0.0f;
    __syncthreads();
    if (threadIdx.y % 2 != 0) return;
    const float2 pair = *reinterpret_cast<const float2*>(&tile[threadIdx.x][threadIdx.y]);  // <--
    if (y < rows && x < cols) out[x * rows + y] = pair.x;
    if (y < rows && x + 1 < cols) out[(x + 1) * rows + y] = pair.y;
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) pairs<<<tiles, dim3(32, 32)>>>(in, out, rows, cols);
}
