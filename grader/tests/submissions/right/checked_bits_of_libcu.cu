// stage: transpose/padding
// cuda::ceil_div and round_up on both sides, cuda::std::bitset for rows that are done.
#include <cuda/cmath>
#include <cuda/std/bitset>
#include <cuda/std/cstdint>
#include <cuda_runtime.h>

__global__ void with_helpers(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int b = blockIdx.x, r0 = b / across * 32, c0 = b % across * 32, x = threadIdx.x;
    cuda::std::bitset<32> moved;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (r0 + j < rows && c0 + x < cols) {
            tile[j][x] = in[static_cast<cuda::std::int64_t>(r0 + j) * cols + c0 + x];
            moved.set(j);
        }
    __syncthreads();
    if (moved.test(threadIdx.y) && out == in) return;
    for (int j = threadIdx.y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<cuda::std::int64_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = cuda::ceil_div(cols, 32), down = cuda::round_up(rows, 32) / 32;
    with_helpers<<<across * down, dim3(32, 8)>>>(in, out, rows, cols, across);
}
