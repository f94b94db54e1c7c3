// A thread takes EACH neighbours of a row and writes them below each other; AS_INT4: as one int4, where rows are
// aligned.
#include <cuda_runtime.h>

#ifndef EACH
#define EACH 4
#endif
#ifndef AS_INT4
#define AS_INT4 0
#endif

__global__ void neighbours(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * EACH, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= rows) return;
#if AS_INT4
    if (cols % 4 == 0) {
        if (x >= cols) return;
        const int4 bits = *reinterpret_cast<const int4*>(in + y * cols + x);
        out[x * rows + y] = __int_as_float(bits.x);
        out[(x + 1) * rows + y] = __int_as_float(bits.y);
        out[(x + 2) * rows + y] = __int_as_float(bits.z);
        out[(x + 3) * rows + y] = __int_as_float(bits.w);
        return;
    }
#endif
    for (int k = 0; k < EACH; ++k)
        if (x + k < cols) out[(x + k) * rows + y] = in[y * cols + x + k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 block(16, 16), grid((cols + 16 * EACH - 1) / (16 * EACH), (rows + 15) / 16);
    neighbours<<<grid, block>>>(in, out, rows, cols);
}
