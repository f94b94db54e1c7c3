// The naive transpose with a loop: a block moves 32 x 32 elements, whatever number of threads it has.
// stage: transpose/any_type
//
// The block is 32 x (THREADS / 32). With 1024 threads each moves one element, with 64 each moves sixteen. Reads are
// coalesced, writes are not, and no shared memory is used. University exercises like to time this kernel against a tile
// of the same size with 64, 512 and 1024 threads:
//
//   ./grader/warpgrade bench handouts/kernels/naive_loop.cu --shape 8192x8192 --threads 64 --threads 512 --threads 1024
//   ./grader/warpgrade bench handouts/kernels/naive_loop.cu --shape 8192x8192 --type double

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int SIDE = 32;
constexpr int HEIGHT = THREADS / SIDE;

template <typename T>
__global__ void naive_loop(const T* in, T* out, int rows, int cols) {
    const int column = blockIdx.x * SIDE + threadIdx.x;
    const int top = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE + threadIdx.y;
    for (int step = 0; step < SIDE; step += HEIGHT) {
        const int row = top + step;
        if (column < cols && row < rows)
            out[static_cast<std::size_t>(column) * rows + row] = in[static_cast<std::size_t>(row) * cols + column];
    }
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    naive_loop<<<grid, dim3(SIDE, HEIGHT)>>>(in, out, rows, cols);
}
