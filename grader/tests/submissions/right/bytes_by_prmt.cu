// stage: transpose/open
// Floats are taken apart into bytes, reversed by __byte_perm and prmt, kept in four planes of shared memory, and put together
// again by funnel shifts; every bit arrives.
#include <cuda_runtime.h>

__device__ __forceinline__ unsigned reversed(unsigned v) {
    unsigned r;
    asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(r) : "r"(v));
    return r;
}

__global__ void planes(const float* in, float* out, int rows, int cols, int across) {
    __shared__ unsigned char plane[4][32][36];
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        if (r0 + j >= rows || c0 + x >= cols) continue;
        const unsigned bits = reversed(__float_as_uint(in[static_cast<size_t>(r0 + j) * cols + c0 + x]));
        plane[0][j][x] = static_cast<unsigned char>(bits);
        plane[1][j][x] = static_cast<unsigned char>(__byte_perm(bits, 0, 0x4441));
        plane[2][j][x] = static_cast<unsigned char>(bits >> 16);
        plane[3][j][x] = static_cast<unsigned char>(__funnelshift_r(bits, 0, 24));
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += blockDim.y) {
        if (c0 + j >= cols || r0 + x >= rows) continue;
        const unsigned lower = plane[3][x][j] | plane[2][x][j] << 8, upper = plane[1][x][j] | plane[0][x][j] << 8;
        out[static_cast<size_t>(c0 + j) * rows + r0 + x] = __uint_as_float(__byte_perm(lower, upper, 0x5410));
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32, down = (rows + 31) / 32;
    planes<<<across * down, dim3(32, 8)>>>(in, out, rows, cols, across);
}
