// stage: transpose/open
// One warp of a persistent block draws the next tile while the others still store the last; the counter is cleared by the last block to end.
#include <cuda_runtime.h>

__device__ unsigned next_tile, ended;

__global__ void drawn(const float* in, float* out, int rows, int cols, unsigned across, unsigned tiles) {
    __shared__ float tile[32][33];
    __shared__ unsigned queue[2];
    if (threadIdx.y == 0 && threadIdx.x == 0) queue[0] = atomicAdd(&next_tile, 1u);
    __syncthreads();
    for (unsigned turn = 0, t; (t = queue[turn & 1]) < tiles; ++turn) {
        const int left = int(t % across) * 32, top = int(t / across) * 32;
        for (int j = threadIdx.y; j < 32; j += blockDim.y)
            if (left + int(threadIdx.x) < cols && top + j < rows) tile[j][threadIdx.x] = in[size_t(top + j) * cols + left + threadIdx.x];
        if (threadIdx.y == blockDim.y - 1 && threadIdx.x == 0) queue[(turn + 1) & 1] = atomicAdd(&next_tile, 1u);
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += blockDim.y)
            if (top + int(threadIdx.x) < rows && left + j < cols) out[size_t(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
        __syncthreads();
    }
    if (threadIdx.y != 0 || threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(&ended, 1u) == gridDim.x - 1) {
        next_tile = 0;
        ended = 0;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const unsigned across = (cols + 31) / 32, tiles = across * ((rows + 31) / 32);
    drawn<<<132 * 4, dim3(32, 8)>>>(in, out, rows, cols, across, tiles);
}
