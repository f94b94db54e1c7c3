// stage: transpose/open
// Two tiles in flight with cuda_pipeline.h: the next one is copied while this one is stored.
#include <cuda_pipeline.h>

#include <cuda_runtime.h>

__global__ void pipelined(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[2][32][33];
    const int tiles_x = (cols + 31) / 32, tiles = tiles_x * ((rows + 31) / 32);
    const auto fetch = [&](int t, int stage) {
        const int x = t % tiles_x * 32 + threadIdx.x, y = t / tiles_x * 32;
        for (int j = threadIdx.y; j < 32; j += 8)
            if (x < cols && y + j < rows)
                __pipeline_memcpy_async(&tile[stage][j][threadIdx.x], &in[static_cast<size_t>(y + j) * cols + x], 4);
        __pipeline_commit();
    };
    int stage = 0;
    if (blockIdx.x < tiles) fetch(blockIdx.x, 0);
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, stage ^= 1) {
        if (t + static_cast<int>(gridDim.x) < tiles) fetch(t + gridDim.x, stage ^ 1);
        else __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        const int x = t / tiles_x * 32 + threadIdx.x, y = t % tiles_x * 32;
        for (int j = threadIdx.y; j < 32; j += 8)
            if (x < rows && y + j < cols) out[static_cast<size_t>(y + j) * rows + x] = tile[stage][threadIdx.x][j];
        __syncthreads();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows != 0 && cols != 0) pipelined<<<64, dim3(32, 8)>>>(in, out, rows, cols);
}
