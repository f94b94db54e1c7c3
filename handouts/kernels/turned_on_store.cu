// The corner is turned when the tile is *filled*: a warp stores a column of the tile and later reads a row of it.
// stage: transpose/corner_turning
//
// As right as turning it on the way out. Without padding the bank conflict moves to the store, 32 wavefronts for each;
// a row of 33 floats removes it there as it does on the other side. Published tutorials have both forms.
//
//   ./grader/warpgrade explain handouts/kernels/turned_on_store.cu

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;
constexpr int PAD = 0;  // 1: no conflicts

__global__ void turned_on_store(const float* in, float* out, int rows, int cols) {
    __shared__ float turned[SIDE][SIDE + PAD];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * SIDE + threadIdx.x, in_row = down * SIDE + threadIdx.y;
    if (in_column < cols && in_row < rows)
        turned[threadIdx.x][threadIdx.y] = in[static_cast<std::size_t>(in_row) * cols + in_column];
    __syncthreads();
    const int out_column = down * SIDE + threadIdx.x, out_row = across * SIDE + threadIdx.y;
    if (out_column < rows && out_row < cols)
        out[static_cast<std::size_t>(out_row) * rows + out_column] = turned[threadIdx.y][threadIdx.x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    turned_on_store<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
