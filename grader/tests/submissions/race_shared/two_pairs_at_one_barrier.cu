// stage: transpose/open
// says: race_shared
// Two pairs of warps turn a tile each, but use one named barrier of 64 threads: the first of each pair may meet there.
#include <cuda_runtime.h>

__global__ void pairs(const float* in, float* out, int rows, int cols) {
    __shared__ float tiles[2][32][33];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 2, pair = threadIdx.x / 64;
    const int across = (cols + 31) / 32, count = across * ((rows + 31) / 32);
    const int t = blockIdx.x * 2 + pair;
    const int left = t % across * 32, top = t / across * 32;
    for (int r = warp; r < 32 && t < count; r += 2)
        if (left + lane < cols && top + r < rows) tiles[pair][r][lane] = in[size_t(top + r) * cols + left + lane];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    for (int c = warp; c < 32 && t < count; c += 2)
        if (left + c < cols && top + lane < rows) out[size_t(left + c) * rows + top + lane] = tiles[pair][lane][c];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int count = ((cols + 31) / 32) * ((rows + 31) / 32);
    pairs<<<(count + 1) / 2, 128>>>(in, out, rows, cols);
}
