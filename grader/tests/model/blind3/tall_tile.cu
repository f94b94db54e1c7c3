// A tile of WIDE x TALL elements, a band of threads that goes down it and then across; loops with bounds in each turn.
#include <cuda_runtime.h>

#ifndef WIDE
#define WIDE 32
#endif
#ifndef TALL
#define TALL 64
#endif
#ifndef BAND
#define BAND 8
#endif

__global__ void tall(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    __shared__ float tile[TALL][WIDE + 1];
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL;
    for (int j = threadIdx.y; j < TALL; j += BAND)
        for (int i = threadIdx.x; i < WIDE; i += 32)
            if (top + j < rows && left + i < cols) tile[j][i] = in[(top + j) * cols + left + i];
    __syncthreads();
    for (int i = threadIdx.y; i < WIDE; i += BAND)
        for (int j = threadIdx.x; j < TALL; j += 32)
            if (top + j < rows && left + i < cols) out[(left + i) * rows + top + j] = tile[j][i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    tall<<<dim3((cols + WIDE - 1) / WIDE, (rows + TALL - 1) / TALL), dim3(32, BAND)>>>(in, out, rows, cols);
}
