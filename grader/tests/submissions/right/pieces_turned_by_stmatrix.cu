// stage: transpose/open
// Halves of 16 bits: registers hold rows of 8 x 8 pieces, stmatrix.trans stores them turned into shared memory.
#include <cuda_runtime.h>

__global__ void turned_by_stmatrix(const float* in, float* out, int rows, int cols, int across) {
    __shared__ __align__(16) unsigned short low[8][8], high[8][8];
    const int r0 = blockIdx.x / across * 8, c0 = blockIdx.x % across * 8, lane = threadIdx.x;
    const int r = lane / 4, c = lane % 4 * 2;
    unsigned bits[2];
    for (int k = 0; k < 2; ++k) bits[k] = r0 + r < rows && c0 + c + k < cols ? __float_as_uint(in[static_cast<size_t>(r0 + r) * cols + c0 + c + k]) : 0u;
    const unsigned lows = __byte_perm(bits[0], bits[1], 0x5410), highs = __byte_perm(bits[0], bits[1], 0x7632);
    const unsigned at_low = static_cast<unsigned>(__cvta_generic_to_shared(low[lane % 8])), at_high = static_cast<unsigned>(__cvta_generic_to_shared(high[lane % 8]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at_low), "r"(lows) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at_high), "r"(highs) : "memory");
    __syncwarp();
    for (int k = 0; k < 2; ++k)
        if (c0 + r < cols && r0 + c + k < rows) out[static_cast<size_t>(c0 + r) * rows + r0 + c + k] = __uint_as_float(low[r][c + k] | static_cast<unsigned>(high[r][c + k]) << 16);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 7) / 8, down = (rows + 7) / 8;
    turned_by_stmatrix<<<across * down, 32>>>(in, out, rows, cols, across);
}
