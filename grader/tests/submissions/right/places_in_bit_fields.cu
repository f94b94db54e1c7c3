// stage: transpose/padding
// A thread's place in the tile is a union of bit fields; the columns of the tile are visited in the order of their bits reversed.
#include <cuda_runtime.h>

union Place {
    unsigned all;
    struct {
        unsigned x : 5, low : 3, rest : 24;
    };
};

__device__ __forceinline__ unsigned reversed(unsigned five_bits) { return __brev(five_bits) >> 27; }

__global__ void fields(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    Place here{threadIdx.x};
    const unsigned across = (cols + 31u) / 32, left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned r = reversed(k * 8 + here.low), x = left + here.x, y = top + r;
        if (x < cols && y < rows) tile[r][here.x] = in[static_cast<unsigned long long>(y) * cols + x];
    }
    __syncthreads();
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned c = __byte_perm(reversed(k * 8 + here.low), 0, 0x4440), x = top + here.x, y = left + c;
        if (x < rows && y < cols) out[__umul64hi(0, 0) + static_cast<unsigned long long>(y) * rows + x] = tile[here.x][c];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) fields<<<((cols + 31) / 32) * ((rows + 31) / 32), 256>>>(in, out, rows, cols);
}
