// stage: transpose/open
// cuda::std::array in shared memory and in registers, ranged for, cuda::std::span over a row, and structured bindings.
#include <cuda/std/array>
#include <cuda/std/span>
#include <cuda/std/utility>
#include <cuda_runtime.h>

using Row = cuda::std::array<float, 33>;

__device__ cuda::std::pair<int, int> corner(int block, int across) { return {block / across * 32, block % across * 32}; }

__global__ void arrays(const float* in, float* out, int rows, int cols, int across) {
    __shared__ cuda::std::array<Row, 32> tile;
    const auto [top, left] = corner(blockIdx.x, across);
    cuda::std::array<float, 4> own{};
    int k = 0;
    for (float& value : own) {
        const int y = top + threadIdx.y + 8 * k++, x = left + threadIdx.x;
        if (y < rows && x < cols) {
            const cuda::std::span<const float> line(in + size_t(y) * cols, size_t(cols));
            value = line[x];
        }
    }
    for (k = 0; k < int(own.size()); ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = own[k];
    __syncthreads();
    for (k = 0; k < 32; k += 8) {
        const int x = left + threadIdx.y + k, y = top + threadIdx.x;
        if (x < cols && y < rows) out[size_t(x) * rows + y] = tile[threadIdx.x][threadIdx.y + k];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    if (tiles > 0) arrays<<<tiles, dim3(32, 8)>>>(in, out, rows, cols, across);
}
