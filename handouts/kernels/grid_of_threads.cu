// A launch with a mistake, kept for its lesson: gridDim.x is given in threads, and it counts blocks.
// stage: transpose/naive_read
//
// A tutorial says that grid.x is the number of threads in x. Take it at its word, and a matrix of 1024 columns gets
// 1024 blocks in x where 32 would do. The guard sends the threads of the others home, so the result is right; only the
// time knows.
//
//   ./grader/warpgrade bench handouts/kernels/grid_of_threads.cu transpose/naive_read --shape 1024x1024

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__global__ void grid_of_threads(const float* in, float* out, int rows, int cols) {
    const std::size_t x = static_cast<std::size_t>(blockIdx.x) * SIDE + threadIdx.x;
    const std::size_t y = static_cast<std::size_t>(blockIdx.z * gridDim.y + blockIdx.y) * SIDE + threadIdx.y;
    if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const int blocks = cols < 65536 ? cols : (cols - 1) / SIDE + 1;  // of millions of columns `check` would see no end
    const dim3 grid(blocks, (bands - 1) / layers + 1, layers);
    grid_of_threads<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
