// A kernel with a mistake, kept for its lesson: its guards compare an index with the number of elements.
// stage: transpose/padding
//
// `y * cols + x < rows * cols` is true for an x past the end of its row: that index is the start of the next row, and
// it lies inside the array. So no tool for memory errors complains. The load then fills a place of the tile that nobody
// needs. The store writes it into the next row of the output, where another thread has stored, or will store, what
// belongs there. On multiples of 32 nothing of this happens.
//
//   ./grader/warpgrade check handouts/kernels/wrapped_guard.cu

#include <cuda_runtime.h>

#include <cstddef>

constexpr int SIDE = 32;

__global__ void wrapped_guard(const float* in, float* out, int rows, int cols) {
    __shared__ float block[SIDE][SIDE + 1];
    const std::size_t elements = static_cast<std::size_t>(rows) * cols;
    const int across = blockIdx.x, down = blockIdx.z * gridDim.y + blockIdx.y;
    const std::size_t from = static_cast<std::size_t>(down * SIDE + threadIdx.y) * cols + across * SIDE + threadIdx.x;
    block[threadIdx.y][threadIdx.x] = from < elements ? in[from] : 0.0f;
    __syncthreads();
    const std::size_t to = static_cast<std::size_t>(across * SIDE + threadIdx.y) * rows + down * SIDE + threadIdx.x;
    if (to < elements) out[to] = block[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int bands = (rows - 1) / SIDE + 1;
    const int layers = (bands - 1) / 65535 + 1;
    const dim3 grid((cols - 1) / SIDE + 1, (bands - 1) / layers + 1, layers);
    wrapped_guard<<<grid, dim3(SIDE, SIDE)>>>(in, out, rows, cols);
}
