// Transposes by blocks of 32 x 8 threads that take ACROSS x DOWN floats of the input each. SIDE 0: straight, reads coalesced;
// 1: straight, writes coalesced; 2: through shared memory at a pitch of PITCH floats. Extents are multiples of the tile's.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef ACROSS
#define ACROSS 64
#endif
#ifndef DOWN
#define DOWN 32
#endif
#ifndef SIDE
#define SIDE 0
#endif
#ifndef PITCH
#define PITCH (ACROSS + 1)
#endif

__global__ void by_tiles(const float* in, float* out, int rows, int cols) {
    const float* const from = in + static_cast<std::size_t>(blockIdx.y) * DOWN * cols + blockIdx.x * ACROSS;
    float* const to = out + static_cast<std::size_t>(blockIdx.x) * ACROSS * rows + blockIdx.y * DOWN;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#if SIDE == 0
#pragma unroll
    for (int y = warp; y < DOWN; y += 8)
#pragma unroll
        for (int x = lane; x < ACROSS; x += 32)
            if (blockIdx.y * DOWN + y < rows && blockIdx.x * ACROSS + x < cols)
                to[static_cast<std::size_t>(x) * rows + y] = from[static_cast<std::size_t>(y) * cols + x];
#elif SIDE == 1
#pragma unroll
    for (int x = warp; x < ACROSS; x += 8)
#pragma unroll
        for (int y = lane; y < DOWN; y += 32)
            if (blockIdx.y * DOWN + y < rows && blockIdx.x * ACROSS + x < cols)
                to[static_cast<std::size_t>(x) * rows + y] = from[static_cast<std::size_t>(y) * cols + x];
#else
    __shared__ float tile[DOWN * PITCH];
#pragma unroll
    for (int y = warp; y < DOWN; y += 8)
#pragma unroll
        for (int x = lane; x < ACROSS; x += 32)
            if (blockIdx.y * DOWN + y < rows && blockIdx.x * ACROSS + x < cols)
                tile[y * PITCH + x] = from[static_cast<std::size_t>(y) * cols + x];
    __syncthreads();
#pragma unroll
    for (int x = warp; x < ACROSS; x += 8)
#pragma unroll
        for (int y = lane; y < DOWN; y += 32)
            if (blockIdx.y * DOWN + y < rows && blockIdx.x * ACROSS + x < cols)
                to[static_cast<std::size_t>(x) * rows + y] = tile[y * PITCH + x];
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    by_tiles<<<dim3((cols - 1) / ACROSS + 1, (rows - 1) / DOWN + 1), 256>>>(in, out, rows, cols);
}
