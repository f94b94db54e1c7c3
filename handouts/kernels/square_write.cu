// The dual of square_read.cu: one element a thread, and neighbouring threads own neighbouring elements of the output.
// stage: transpose/any_type
//
//   ./grader/warpgrade bench handouts/kernels/square_write.cu --shape 8192x8192 --threads 256 --threads 1024

#include <cuda_runtime.h>

#include <cstddef>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int SIDE = THREADS == 64 ? 8 : THREADS == 256 ? 16 : 32;
static_assert(SIDE * SIDE == THREADS, "THREADS: 64, 256 or 1024");

template <typename T>
__global__ void square_write(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
    const int column = blockIdx.x * SIDE + threadIdx.x;  // of the output
    const int row = (blockIdx.z * gridDim.y + blockIdx.y) * SIDE + threadIdx.y;
    if (column < rows && row < cols)
        out[static_cast<std::size_t>(row) * rows + column] = in[static_cast<std::size_t>(column) * cols + row];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (cols - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((rows - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    square_write<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
