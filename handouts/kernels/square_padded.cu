// square_tile.cu with one unused float at the end of each row of the tile: 16 x 17, or 32 x 33.
// stage: transpose/corner_turning
//
// The block stays or moves as in stage 3. With 16 x 16 threads a warp covers two rows of the tile; what that does to
// the banks is drawn by
//
//   ./grader/warpgrade explain handouts/kernels/square_padded.cu
//
// and the times of 16 x 16 and 32 x 32 by
//
//   ./grader/warpgrade bench handouts/kernels/square_padded.cu --shape 8192x8192 --threads 256 --threads 1024
//

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int SIDE = THREADS == 64 ? 8 : THREADS == 256 ? 16 : 32;
constexpr int PAD = 1;
static_assert(SIDE * SIDE == THREADS, "THREADS: 64, 256 or 1024");

template <int N>
__global__ void square_padded(const float* in, float* out, int rows, int cols) {
    __shared__ float block[N][N + PAD];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * N + threadIdx.x, in_row = down * N + threadIdx.y;
    if (in_column < cols && in_row < rows)
        block[threadIdx.y][threadIdx.x] = in[static_cast<std::size_t>(in_row) * cols + in_column];
    __syncthreads();
    const int out_column = down * N + threadIdx.x, out_row = across * N + threadIdx.y;
    if (out_column < rows && out_row < cols)
        out[static_cast<std::size_t>(out_row) * rows + out_column] = block[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    square_padded<SIDE><<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
