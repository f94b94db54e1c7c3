// stage: transpose/open
// says: race_shared
// Two tiles in turn: the copy into the tile that was just stored starts before all threads have read it.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32, STAGES = 2;

__global__ void ring(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[STAGES][TILE][TILE + 1];
    const int across = (cols + TILE - 1) / TILE, count = across * ((rows + TILE - 1) / TILE);
    const auto fetch = [&](int t, int stage) {
        const int x = t % across * TILE + threadIdx.x, y = t / across * TILE + threadIdx.y;
        for (int j = 0; j < TILE; j += 8)
            if (t < count && x < cols && y + j < rows)
                __pipeline_memcpy_async(&tile[stage][threadIdx.y + j][threadIdx.x], in + size_t(y + j) * cols + x, 4);
        __pipeline_commit();
    };
    fetch(blockIdx.x, 0);
    fetch(blockIdx.x + gridDim.x, 1);
    int stage = 0;
    for (int t = blockIdx.x; t < count; t += gridDim.x) {
        __pipeline_wait_prior(1);
        __syncthreads();
        const int x = t / across * TILE + threadIdx.x, y = t % across * TILE + threadIdx.y;
        for (int j = 0; j < TILE; j += 8)
            if (x < rows && y + j < cols) out[size_t(y + j) * rows + x] = tile[stage][threadIdx.x][threadIdx.y + j];  // <--
        fetch(t + 2 * gridDim.x, stage);
        stage = (stage + 1) % STAGES;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) ring<<<4, dim3(TILE, 8)>>>(in, out, rows, cols);
}
