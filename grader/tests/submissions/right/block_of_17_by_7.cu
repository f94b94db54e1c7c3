// stage: transpose/open
// Nothing is a power of two: blocks of 17 x 7 threads, tiles of 17 x 23 elements, warps across rows.
#include <cuda_runtime.h>

constexpr int wide = 17, high = 23, lines = 7;

__global__ void odd_tile(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    __shared__ float tile[high][wide];
    const int tiles_x = (cols + wide - 1) / wide;
    const int left = static_cast<int>(blockIdx.x % tiles_x) * wide, top = static_cast<int>(blockIdx.x / tiles_x) * high;
    for (int j = threadIdx.y; j < high && top + j < rows; j += lines)
        if (left + static_cast<int>(threadIdx.x) < cols)
            tile[j][threadIdx.x] = in[static_cast<long long>(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    // 391 elements by 119 threads, in the order of the output.
    for (int k = threadIdx.y * wide + threadIdx.x; k < wide * high; k += wide * lines) {
        const int y = k / high, x = k % high;
        if (left + y < cols && top + x < rows) out[static_cast<long long>(left + y) * rows + top + x] = tile[x][y];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((cols + wide - 1) / wide) * ((rows + high - 1) / high);
    if (tiles > 0) odd_tile<<<tiles, dim3(wide, lines)>>>(in, out, rows, cols);
}
