// stage: transpose/open
// Pieces of 16 x 8 floats, their halves of 16 bits in two tiles; ldmatrix gives each lane what it has to store.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void through_fragments(const float* in, float* out, int rows, int cols) {
    __shared__ __align__(16) uint16_t low[16][8], high[16][8];
    const int lane = threadIdx.x, left = 8 * blockIdx.x;
    for (int top = 16 * blockIdx.y; top < rows; top += 16 * gridDim.y) {
        for (int i = lane; i < 128; i += 32) {
            const int r = i / 8, c = i % 8;
            unsigned value = 0;
            if (top + r < rows && left + c < cols) value = __float_as_uint(in[size_t(top + r) * cols + left + c]);
            low[r][c] = static_cast<uint16_t>(value);
            high[r][c] = static_cast<uint16_t>(value >> 16);
        }
        __syncwarp();
        // Four matrices: low rows 0 to 7, low rows 8 to 15, and the same of high. Lane l has the address of row l.
        const uint16_t* row = lane < 16 ? low[lane] : high[lane - 16];
        unsigned fragment[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
                     : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
                     : "memory");
        for (int m = 0; m < 2; ++m)
            for (int k = 0; k < 2; ++k) {
                const int x = left + lane / 4, y = top + 8 * m + lane % 4 * 2 + k;
                const unsigned value = __byte_perm(fragment[m], fragment[m + 2], k == 0 ? 0x5410 : 0x7632);
                if (x < cols && y < rows) out[size_t(x) * rows + y] = __uint_as_float(value);
            }
        __syncwarp();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows + 15) / 16;
    through_fragments<<<dim3((cols + 7) / 8, down < 65535 ? down : 65535), 32>>>(in, out, rows, cols);
}
