// Each thread reads two neighbours, as a float2 where rows are aligned, into a tile of 64 x 32 and writes single floats.
#include <cuda_runtime.h>

#ifndef BAND
#define BAND 8
#endif
#ifndef PAD
#define PAD 1
#endif

__global__ void pairs(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][64 + PAD];
    const int left = blockIdx.x * 64, top = blockIdx.y * 32;
    const int x = left + 2 * threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += BAND) {
        const int y = top + j;
        if (y >= rows) break;
        if (cols % 2 == 0 && x + 1 < cols) {
            const float2 two = *reinterpret_cast<const float2*>(&in[y * cols + x]);
            tile[j][2 * threadIdx.x] = two.x;
            tile[j][2 * threadIdx.x + 1] = two.y;
        } else {
            if (x < cols) tile[j][2 * threadIdx.x] = in[y * cols + x];
            if (x + 1 < cols) tile[j][2 * threadIdx.x + 1] = in[y * cols + x + 1];
        }
    }
    __syncthreads();
    if (top + threadIdx.x < rows)
        for (int i = threadIdx.y; i < 64 && left + i < cols; i += BAND)
            out[(left + i) * rows + top + threadIdx.x] = tile[threadIdx.x][i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    pairs<<<dim3((cols + 63) / 64, (rows + 31) / 32), dim3(32, BAND)>>>(in, out, rows, cols);
}
