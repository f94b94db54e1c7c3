// stage: transpose/open
// says: uninitialized
// Two tiles in turn: the copy into the second one is started, and the tile is read before anybody has waited for it.
#include <cuda_runtime.h>

#include <cuda_pipeline.h>

__global__ void two_stages(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[2][32][33];
    const int x = threadIdx.x, row = blockIdx.y * 32;
    const auto fetch = [&](int stage, int first) {
        for (int k = 0; k < 32; ++k)
            if (row + k < rows && first + x < cols)
                __pipeline_memcpy_async(&tile[stage][k][x], &in[(row + k) * cols + first + x], 4);
        __pipeline_commit();
    };
    int stage = 0;
    fetch(0, 0);
    for (int first = 0; first < cols; first += 32, stage ^= 1) {
        fetch(stage ^ 1, first + 32);
        __pipeline_wait_prior(2);
        __syncwarp();
        for (int k = 0; k < 32; ++k)
            if (first + k < cols && row + x < rows) out[(first + k) * rows + row + x] = tile[stage][x][k];  // <--
        __syncwarp();
    }
    __pipeline_wait_prior(0);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) two_stages<<<dim3(1, (rows + 31) / 32), 32>>>(in, out, rows, cols);
}
