// stage: transpose/open
// says: misaligned
// Two floats at a time out of a padded tile: odd rows start at a multiple of four bytes.
#include <cuda_runtime.h>

__global__ void wide(const float* in, float* out, int rows, int cols, int across) {
    __shared__ float tile[32][33];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8) tile[x][j] = r0 + j < rows && c0 + x < cols ? in[(size_t)(r0 + j) * cols + c0 + x] : 0.0f;
    __syncthreads();
    for (int j = threadIdx.y * 2 + x / 16; j < 32; j += 16) {
        const int r = x % 16 * 2;
        const unsigned long long both = *reinterpret_cast<unsigned long long*>(&tile[j][r]);  // <--
        if (c0 + j < cols && r0 + r < rows) out[(size_t)(c0 + j) * rows + r0 + r] = __uint_as_float((unsigned)both);
        if (c0 + j < cols && r0 + r + 1 < rows) out[(size_t)(c0 + j) * rows + r0 + r + 1] = __uint_as_float((unsigned)(both >> 32));
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    wide<<<across * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols, across);
}
