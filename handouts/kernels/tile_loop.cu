// A 32 x 32 tile without padding, moved by 32 x (THREADS / 32) threads: the kernel of a university exercise.
// stage: transpose/corner_turning
//
// Two loops, one before the barrier and one after it, and a bank conflict in the second. Stage 5 is this kernel with
// padding: compare the two with 64, 512 and 1024 threads.
//
//   ./grader/warpgrade bench handouts/kernels/tile_loop.cu --shape 8192x8192 --threads 64 --threads 512 --threads 1024

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int SIDE = 32;
constexpr int HEIGHT = THREADS / SIDE;

__global__ void tile_loop(const float* in, float* out, int rows, int cols) {
    __shared__ float block[SIDE][SIDE];
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * SIDE + threadIdx.x;
    for (int line = threadIdx.y; line < SIDE; line += HEIGHT) {
        const int in_row = down * SIDE + line;
        if (in_column < cols && in_row < rows)
            block[line][threadIdx.x] = in[static_cast<std::size_t>(in_row) * cols + in_column];
    }
    __syncthreads();
    const int out_column = down * SIDE + threadIdx.x;
    for (int line = threadIdx.y; line < SIDE; line += HEIGHT) {
        const int out_row = across * SIDE + line;
        if (out_column < rows && out_row < cols)
            out[static_cast<std::size_t>(out_row) * rows + out_column] = block[threadIdx.x][line];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    tile_loop<<<grid, dim3(SIDE, HEIGHT)>>>(in, out, rows, cols);
}
