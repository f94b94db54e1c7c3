// stage: transpose/dynamic_tile
// The tile is cut out of dynamic memory behind a table of row starts; sizes are arguments, and blocks have any number of threads.
#include <cuda_runtime.h>

#include <cstddef>

extern __shared__ int room[];

__global__ void tabled(const float* in, float* out, int rows, int cols, int side) {
    int* const start = room;  // of each row of the tile, in floats
    float* const tile = reinterpret_cast<float*>(room + side);
    const int threads = blockDim.x * blockDim.y, tid = threadIdx.y * blockDim.x + threadIdx.x;
    for (int r = tid; r < side; r += threads) start[r] = r * (side | 1);
    const int across = (cols - 1) / side + 1;
    const int left = blockIdx.x % across * side, top = blockIdx.x / across * side;
    __syncthreads();
    for (int k = tid; k < side * side; k += threads) {
        const int2 at = make_int2(k % side, k / side);
        if (left + at.x < cols && top + at.y < rows) tile[start[at.y] + at.x] = in[size_t(top + at.y) * cols + left + at.x];
    }
    __syncthreads();
    for (int k = tid; k < side * side; k += threads) {
        const int2 at = make_int2(k / side, k % side);
        if (left + at.x < cols && top + at.y < rows) out[size_t(left + at.x) * rows + top + at.y] = tile[start[at.y] + at.x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int side = rows < 32 || cols < 32 ? 16 : 32;
    const std::size_t bytes = sizeof(int) * side + sizeof(float) * side * (side | 1);
    tabled<<<((cols - 1) / side + 1) * ((rows - 1) / side + 1), dim3(side, 256 / side), bytes>>>(in, out, rows, cols, side);
}
