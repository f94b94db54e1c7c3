// stage: transpose/open
// Pieces of 8 x 8 floats stay in the registers of a warp: their halves of 16 bits are turned apart, by movmatrix.
#include <cuda_runtime.h>

__device__ unsigned turned(unsigned fragment) {
    unsigned result;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(fragment));
    return result;
}

__global__ void in_registers(const float* in, float* out, int rows, int cols) {
    const int lane = threadIdx.x % 32, left = 8 * (blockIdx.x * 4 + threadIdx.x / 32);
    for (int top = 8 * blockIdx.y; top < rows; top += 8 * gridDim.y) {
        // A lane of a fragment has two neighbours of a row.
        const int r = lane / 4, c = lane % 4 * 2;
        unsigned value[2] = {0, 0};
        for (int k = 0; k < 2; ++k)
            if (top + r < rows && left + c + k < cols)
                value[k] = __float_as_uint(in[size_t(top + r) * cols + left + c + k]);
        const unsigned low = turned(__byte_perm(value[0], value[1], 0x5410)),
                       high = turned(__byte_perm(value[0], value[1], 0x7632));
        value[0] = __byte_perm(low, high, 0x5410);
        value[1] = __byte_perm(low, high, 0x7632);
        for (int k = 0; k < 2; ++k)
            if (left + r < cols && top + c + k < rows)
                out[size_t(left + r) * rows + top + c + k] = __uint_as_float(value[k]);
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows + 7) / 8;
    in_registers<<<dim3((cols + 31) / 32, down < 65535 ? down : 65535), 128>>>(in, out, rows, cols);
}
