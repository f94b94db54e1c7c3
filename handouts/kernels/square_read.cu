// The naive transpose, one element a thread, in square blocks of any size: 8 x 8, 16 x 16 or 32 x 32.
// stage: transpose/any_type
//
// Neighbouring threads read neighbouring elements of the input. A warp of a 16 x 16 block covers two rows of it, so it
// writes to 16 places of two floats each: 16 sectors a store, where 32 x 32 blocks have 32.
//
//   ./grader/warpgrade bench handouts/kernels/square_read.cu --shape 8192x8192 --threads 256 --threads 1024

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int SIDE = THREADS == 64 ? 8 : THREADS == 256 ? 16 : 32;
static_assert(SIDE * SIDE == THREADS, "THREADS: 64, 256 or 1024");

template <typename T>
__global__ void square_read(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
    const int column = blockIdx.x * SIDE + threadIdx.x;
    const int row = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE + threadIdx.y;
    if (column < cols && row < rows)
        out[static_cast<std::size_t>(column) * rows + row] = in[static_cast<std::size_t>(row) * cols + column];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    square_read<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
