// The width of the tile comes as an argument, the tile lies in dynamic shared memory, its row length is computed.
#include <cuda_runtime.h>

#ifndef SIDE
#define SIDE 32
#endif
#ifndef BAND
#define BAND 16
#endif
#ifndef PAD
#define PAD 1
#endif

__global__ void any_side(const float* in, float* out, int rows, int cols, int side, int pitch) {
    extern __shared__ float tile[];
    const int x = blockIdx.x * side + threadIdx.x, y = blockIdx.y * side + threadIdx.y;
    for (int j = 0; j < side; j += blockDim.y)
        if (x < cols && y + j < rows) tile[(threadIdx.y + j) * pitch + threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    const int u = blockIdx.y * side + threadIdx.x, v = blockIdx.x * side + threadIdx.y;
    for (int j = 0; j < side; j += blockDim.y)
        if (u < rows && v + j < cols) out[(v + j) * rows + u] = tile[threadIdx.x * pitch + threadIdx.y + j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 grid((cols + SIDE - 1) / SIDE, (rows + SIDE - 1) / SIDE);
    any_side<<<grid, dim3(SIDE, BAND), SIDE*(SIDE + PAD) * sizeof(float)>>>(in, out, rows, cols, SIDE, SIDE + PAD);
}
