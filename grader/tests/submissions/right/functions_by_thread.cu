// stage: transpose/open
// Each thread calls one of several functions through a table, and neighbours call different ones.
#include <cuda_runtime.h>

using Read = float (*)(const float*, int, int, int);

__device__ float by_row(const float* in, int row, int col, int cols) { return in[row * cols + col]; }
__device__ float by_pointer(const float* in, int row, int col, int cols) { return *(in + row * cols + col); }
__device__ float by_cache(const float* in, int row, int col, int cols) { return __ldg(&in[row * cols + col]); }
__device__ Read ways[3] = {by_row, by_pointer, by_cache};

__global__ void many_ways(const float* in, float* out, int rows, int cols) {
    const int tiles = (cols + 31) / 32;
    const int col = blockIdx.x % tiles * 32 + threadIdx.x, row = blockIdx.x / tiles * 8 + threadIdx.y;
    if (col < cols && row < rows) out[col * rows + row] = ways[(row + col) % 3](in, row, col, cols);
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int grid = (cols + 31) / 32 * ((rows + 7) / 8);
    if (rows > 0 && cols > 0) many_ways<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}
