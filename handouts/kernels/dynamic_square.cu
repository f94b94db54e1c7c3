// A dynamic tile with one element a thread: the launcher chooses 16 or 32, the kernel reads the size from blockDim.x.
// stage: transpose/any_type
//
// The kernel assumes a square block and says so with an `assert`: on a GPU a failed assert stops the launch with the
// line, and costs next to nothing as long as it holds. It is a habit worth having, and `check` reports it like any
// other mistake: launch the kernel with dim3(32, 8) and see.
//
// `extern __shared__` in a template: the array has one name for all types, so it is declared as bytes and cast.
//
//   ./grader/warpgrade bench handouts/kernels/dynamic_square.cu --shape 8192x8192 --type float --type double

#include <cuda_runtime.h>

#include <cassert>
#include <cstddef>

template <typename T>
__global__ void dynamic_square(const T* __restrict__ in, T* __restrict__ out, int rows, int cols) {
    assert(blockDim.x == blockDim.y && blockDim.z == 1);
    extern __shared__ __align__(16) unsigned char bytes[];
    T* const block = reinterpret_cast<T*>(bytes);
    const int side = blockDim.x, pitch = side + 1;
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const int in_column = across * side + threadIdx.x, in_row = down * side + threadIdx.y;
    if (in_column < cols && in_row < rows)
        block[threadIdx.y * pitch + threadIdx.x] = in[static_cast<std::size_t>(in_row) * cols + in_column];
    __syncthreads();
    const int out_column = down * side + threadIdx.x, out_row = across * side + threadIdx.y;
    if (out_column < rows && out_row < cols)
        out[static_cast<std::size_t>(out_row) * rows + out_column] = block[threadIdx.x * pitch + threadIdx.y];
}

template <typename T>
void transpose(const T* in, T* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int side = rows < 32 || cols < 32 ? 16 : 32;
    const int bands = (rows - 1) / side + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / side + 1, (bands - 1) / layers + 1, layers);
    dynamic_square<<<grid, dim3(side, side), sizeof(T) * side * (side + 1)>>>(in, out, rows, cols);
}
