// stage: transpose/coarsening
// says: variant_does_not_compile
// Refuses more than 512 threads a block, which the sweep asks for.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif

static_assert(THREADS <= 512, "four elements a thread at least");  // <--

__global__ void coarse(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    const int across = (cols + 31) / 32;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    for (int j = threadIdx.y; j < 32; j += THREADS / 32)
        if (left + threadIdx.x < cols && top + j < rows)
            tile[j][threadIdx.x] = in[(top + j) * cols + left + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += THREADS / 32)
        if (top + threadIdx.x < rows && left + j < cols)
            out[(left + j) * rows + top + threadIdx.x] = tile[threadIdx.x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) coarse<<<tiles, dim3(32, THREADS / 32)>>>(in, out, rows, cols);
}
