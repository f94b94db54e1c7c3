// stage: transpose/open
// says: uninitialized
// Two tiles in flight, and the wait leaves two groups on their way: the tile that is stored may not be there yet.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int TILE = 32;

__global__ void early(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[2][TILE][TILE + 1];
    const int across = (cols + TILE - 1) / TILE, count = across * ((rows + TILE - 1) / TILE);
    const auto fetch = [&](int t, int stage) {
        const int x = t % across * TILE + threadIdx.x, y = t / across * TILE + threadIdx.y;
        for (int j = 0; j < TILE; j += 8)
            if (t < count && x < cols && y + j < rows)
                asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(__cvta_generic_to_shared(&tile[stage][threadIdx.y + j][threadIdx.x]))),
                             "l"(in + size_t(y + j) * cols + x)
                             : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    int stage = 0;
    fetch(blockIdx.x, 0);
    for (int t = blockIdx.x; t < count; t += gridDim.x, stage ^= 1) {
        fetch(t + gridDim.x, stage ^ 1);
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        __syncthreads();
        const int x = t / across * TILE + threadIdx.x, y = t % across * TILE + threadIdx.y;
        for (int j = 0; j < TILE; j += 8)
            if (x < rows && y + j < cols) out[size_t(y + j) * rows + x] = tile[stage][threadIdx.x][threadIdx.y + j];  // <--
        __syncthreads();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) early<<<16, dim3(TILE, 8)>>>(in, out, rows, cols);
}
