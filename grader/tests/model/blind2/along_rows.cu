// A tile of 32 x WIDE: float4s along the rows of the input where these are aligned, single floats along those of the
// output. OUTPUTS: the other way round.
#include <cuda_runtime.h>

#ifndef WIDE
#define WIDE 32
#endif
#ifndef OUTPUTS
#define OUTPUTS 0
#endif

constexpr int TALL = 32, THREADS = 256;

__device__ __forceinline__ void four_in(const float* in, float* to, int x, int y, int rows, int cols) {
    if (y >= rows) return;
    if (cols % 4 == 0 && x + 4 <= cols) {
        const float4 four = *reinterpret_cast<const float4*>(in + y * cols + x);
        to[0] = four.x;
        to[1] = four.y;
        to[2] = four.z;
        to[3] = four.w;
    } else {
        for (int k = 0; k < 4; ++k)
            if (x + k < cols) to[k] = in[y * cols + x + k];
    }
}

__global__ void __launch_bounds__(THREADS) fours(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[TALL][WIDE + 1];
    const int left = blockIdx.x * WIDE, top = blockIdx.y * TALL;
#if OUTPUTS
    for (int i = threadIdx.x; i < TALL * WIDE; i += THREADS) {
        const int r = i / WIDE, c = i % WIDE;
        if (top + r < rows && left + c < cols) tile[r][c] = in[(top + r) * cols + left + c];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TALL * WIDE / 4; i += THREADS) {
        const int c = i / (TALL / 4), r = i % (TALL / 4) * 4;
        float* const to = out + (left + c) * rows + top + r;
        if (left + c >= cols) continue;
        if (rows % 4 == 0 && top + r + 4 <= rows) {
            *reinterpret_cast<float4*>(to) = make_float4(tile[r][c], tile[r + 1][c], tile[r + 2][c], tile[r + 3][c]);
        } else {
            for (int k = 0; k < 4; ++k)
                if (top + r + k < rows) to[k] = tile[r + k][c];
        }
    }
#else
    for (int i = threadIdx.x; i < TALL * WIDE / 4; i += THREADS) {
        const int r = i / (WIDE / 4), c = i % (WIDE / 4) * 4;
        four_in(in, &tile[r][c], left + c, top + r, rows, cols);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TALL * WIDE; i += THREADS) {
        const int c = i / TALL, r = i % TALL;
        if (top + r < rows && left + c < cols) out[(left + c) * rows + top + r] = tile[r][c];
    }
#endif
}

void transpose(const float* in, float* out, int rows, int cols) {
    fours<<<dim3((cols + WIDE - 1) / WIDE, (rows + TALL - 1) / TALL), THREADS>>>(in, out, rows, cols);
}
