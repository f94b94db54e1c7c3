// Two tiles in shared memory: cp.async fetches one while the other is written. A block takes TILES of them, to the
// right of each other, or, with DOWN, below each other.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#ifndef TILES
#define TILES 4
#endif
#ifndef DOWN
#define DOWN 0
#endif

constexpr int SIDE = 32, BAND = 8;

__global__ void __launch_bounds__(SIDE* BAND) fetch_and_write(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[2][SIDE][SIDE + 1];
    const int first = blockIdx.x * TILES, all = ((DOWN ? rows : cols) + SIDE - 1) / SIDE;
    const int end = first + TILES < all ? first + TILES : all, fixed = blockIdx.y * SIDE;
    const auto fetch = [&](int number) {
        const int x = (DOWN ? fixed : number * SIDE) + threadIdx.x, y = (DOWN ? number * SIDE : fixed) + threadIdx.y;
        if (number < end) {
            for (int j = 0; j < SIDE; j += BAND)
                if (x < cols && y + j < rows)
                    __pipeline_memcpy_async(&tile[number % 2][threadIdx.y + j][threadIdx.x], &in[(y + j) * cols + x],
                                            sizeof(float));
        }
        __pipeline_commit();
    };
    fetch(first);
    for (int number = first; number < end; ++number) {
        fetch(number + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        const int x = (DOWN ? number * SIDE : fixed) + threadIdx.x, y = (DOWN ? fixed : number * SIDE) + threadIdx.y;
        for (int j = 0; j < SIDE; j += BAND)
            if (x < rows && y + j < cols) out[(y + j) * rows + x] = tile[number % 2][threadIdx.x][threadIdx.y + j];
        __syncthreads();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int across = (cols + SIDE - 1) / SIDE, down = (rows + SIDE - 1) / SIDE;
    const dim3 grid(((DOWN ? down : across) + TILES - 1) / TILES, DOWN ? across : down);
    fetch_and_write<<<grid, dim3(SIDE, BAND)>>>(in, out, rows, cols);
}
