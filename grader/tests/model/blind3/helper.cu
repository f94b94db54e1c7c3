// The steps of the tile in functions of their own, elements by structures; NOINLINE: really called.
#include <cuda_runtime.h>

#ifndef NOINLINE
#define NOINLINE 0
#endif
#ifndef BAND
#define BAND 8
#endif

#if NOINLINE
#define STEP __device__ __noinline__
#else
#define STEP __device__
#endif

struct Matrix {
    float* first;
    int rows, cols;
    __device__ bool has(int y, int x) const { return y < rows && x < cols; }
    __device__ float& at(int y, int x) const { return first[static_cast<long long>(y) * cols + x]; }
};

STEP void take(Matrix from, float (*tile)[33], int top, int left) {
    for (int j = threadIdx.y; j < 32; j += BAND)
        if (from.has(top + j, left + threadIdx.x)) tile[j][threadIdx.x] = from.at(top + j, left + threadIdx.x);
}

STEP void give(Matrix to, float (*tile)[33], int top, int left) {
    for (int j = threadIdx.y; j < 32; j += BAND)
        if (to.has(left + j, top + threadIdx.x)) to.at(left + j, top + threadIdx.x) = tile[threadIdx.x][j];
}

__global__ void take_and_give(Matrix from, Matrix to) {
    __shared__ float tile[32][33];
    take(from, tile, blockIdx.y * 32, blockIdx.x * 32);
    __syncthreads();
    give(to, tile, blockIdx.y * 32, blockIdx.x * 32);
}

void transpose(const float* in, float* out, int rows, int cols) {
    take_and_give<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, BAND)>>>(Matrix{const_cast<float*>(in), rows, cols},
                                                                              Matrix{out, cols, rows});
}
