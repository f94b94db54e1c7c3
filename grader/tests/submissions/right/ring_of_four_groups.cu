// stage: transpose/open
// cp.async in a ring of four tiles: three groups are on their way while one is stored; empty groups keep the count right.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32, HIGH = 8, STAGES = 4;

__device__ __forceinline__ void copy4(float* to, const float* from, bool wanted) {
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(address), "l"(from), "r"(wanted ? 4 : 0) : "memory");
}

__global__ void ring(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    __shared__ float tile[STAGES][TILE][TILE + 1];
    const int across = (cols + TILE - 1) / TILE, count = across * ((rows + TILE - 1) / TILE);
    const auto fetch = [&](int t, int stage) {
        if (t < count) {
            const int x = t % across * TILE + threadIdx.x, y = t / across * TILE + threadIdx.y;
#pragma unroll
            for (int j = 0; j < TILE; j += HIGH) {
                const bool inside = x < cols && y + j < rows;
                copy4(&tile[stage][threadIdx.y + j][threadIdx.x], inside ? in + size_t(y + j) * cols + x : in, inside);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int s = 0; s < STAGES - 1; ++s) fetch(blockIdx.x + s * gridDim.x, s);
    int stage = 0;
    for (int t = blockIdx.x; t < count; t += gridDim.x) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        // The tile stored in the last turn is free: everybody has passed the barrier.
        fetch(t + (STAGES - 1) * gridDim.x, (stage + STAGES - 1) % STAGES);
        const int x = t / across * TILE + threadIdx.x, y = t % across * TILE + threadIdx.y;
#pragma unroll
        for (int j = 0; j < TILE; j += HIGH)
            if (x < rows && y + j < cols) out[size_t(y + j) * rows + x] = tile[stage][threadIdx.x][threadIdx.y + j];
        stage = (stage + 1) % STAGES;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) ring<<<24, dim3(TILE, HIGH)>>>(in, out, rows, cols);
}
