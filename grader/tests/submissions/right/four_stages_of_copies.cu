// stage: transpose/open
// Four stages of cp.async with zeros filled in at the edge; STAGES - 2 groups stay under way, one barrier a tile.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int STAGES = 4, T = 16;

__global__ void staged(const float* in, float* out, int rows, int cols, int tiles) {
    __shared__ float tile[STAGES][T][T + 1];
    const int across = (cols + T - 1) / T;
    auto fetch = [&](int k, int stage) {
        if (k < tiles) {
            const int x = k % across * T + threadIdx.x, y = k / across * T + threadIdx.y;
            const bool inside = x < cols && y < rows;
            __pipeline_memcpy_async(&tile[stage][threadIdx.y][threadIdx.x], inside ? in + size_t(y) * cols + x : in, 4, inside ? 0 : 4);
        }
        __pipeline_commit();
    };
    for (int s = 0; s < STAGES - 1; ++s) fetch(blockIdx.x + s * gridDim.x, s);
    int stage = 0;
    for (int k = blockIdx.x; k < tiles; k += gridDim.x) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        fetch(k + (STAGES - 1) * gridDim.x, (stage + STAGES - 1) % STAGES);
        const int x = k / across * T + threadIdx.x, y = k % across * T + threadIdx.y;
        if (x < rows && y < cols) out[size_t(y) * rows + x] = tile[stage][threadIdx.x][threadIdx.y];
        stage = (stage + 1) % STAGES;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (!rows || !cols) return;
    const int tiles = ((cols + T - 1) / T) * ((rows + T - 1) / T);
    staged<<<tiles < 40 ? tiles : 40, dim3(T, T)>>>(in, out, rows, cols, tiles);
}
