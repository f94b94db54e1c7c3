// What one warp meets in the shared memory of five tiles. Not a solution: each kernel turns one tile in one block.
//
//   ./grader/warpgrade explain handouts/kernels/tiles.cu --stage transpose/corner_turning --shape 32x32
//
// counts the wavefronts of each line, and draws the banks of a warp's first access there. The handout "Transpose" talks
// about the pictures. Change a tile, and predict the count before you look.

#include <cuda_runtime.h>

__global__ void tile_16_16(const float* in, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void tile_16_17(const float* in, float* out) {
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void tile_32_32(const float* in, float* out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void tile_32_33(const float* in, float* out) {
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void tile_32_34(const float* in, float* out) {
    __shared__ float tile[32][34];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows < 32 || cols < 32) return;
    tile_16_16<<<1, dim3(16, 16)>>>(in, out);
    tile_16_17<<<1, dim3(16, 16)>>>(in, out);
    tile_32_32<<<1, dim3(32, 32)>>>(in, out);
    tile_32_33<<<1, dim3(32, 32)>>>(in, out);
    tile_32_34<<<1, dim3(32, 32)>>>(in, out);
}
