// stage: stencil/open
// A block walks down its strip with eight rows in shared memory: cp.async brings the row that is needed three turns later.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>

constexpr int WIDE = 64, RADIUS = 2, PITCH = WIDE + 2 * RADIUS, RING = 8, AHEAD = 3, HIGH = 32;

__global__ void strips(const float* in, const float* weights, float* out, int rows, int cols) {
    __shared__ float ring[RING][PITCH];
    __shared__ float weight[25];
    const int across = (cols - 1) / WIDE + 1;
    const int left = blockIdx.x % across * WIDE, top = blockIdx.x / across * HIGH;
    const auto fetch = [&](int y) {
        for (int c = threadIdx.x; c < PITCH; c += WIDE) {
            const int x = left + c - RADIUS;
            const bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            const float* from = inside ? in + size_t(y) * cols + x : in;
            __pipeline_memcpy_async(&ring[(y + RING) % RING][c], from, 4, inside ? 0 : 4);
        }
        __pipeline_commit();
    };
    if (threadIdx.x < 25) weight[threadIdx.x] = weights[threadIdx.x];
    for (int y = top - RADIUS; y < top + RADIUS + AHEAD - 1; ++y) fetch(y);
    const int bottom = min(top + HIGH, rows);
    for (int y = top; y < bottom; ++y) {
        fetch(y + RADIUS + AHEAD - 1);  // where row y - 4 stood, which was last read in the turn before the last
        __pipeline_wait_prior(AHEAD - 1);
        __syncthreads();
        float sum = 0;
#pragma unroll
        for (int r = 0; r < 5; ++r)
#pragma unroll
            for (int c = 0; c < 5; ++c) sum += weight[r * 5 + c] * ring[(y + r - RADIUS + RING) % RING][threadIdx.x + c];
        if (left + threadIdx.x < cols) out[size_t(y) * cols + left + threadIdx.x] = sum;
    }
}

void convolve(const float* in, const float* weights, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    strips<<<((cols - 1) / WIDE + 1) * ((rows - 1) / HIGH + 1), WIDE>>>(in, weights, out, rows, cols);
}
