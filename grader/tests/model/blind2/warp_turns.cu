// A warp turns SIDE rows of 32 elements in its registers, by shuffles among SIDE lanes; no shared memory. Warps that
// lie outside return at once.
#include <cuda_runtime.h>

#ifndef SIDE
#define SIDE 8
#endif
#ifndef WARPS
#define WARPS 4
#endif

__global__ void __launch_bounds__(32 * WARPS) turn_in_registers(const float* in, float* out, int rows, int cols) {
    const int lane = threadIdx.x % 32, place = lane % SIDE;
    const int left = (blockIdx.x * WARPS + threadIdx.x / 32) * 32, top = blockIdx.y * SIDE;
    if (left >= cols) return;
    float kept[SIDE];
#pragma unroll
    for (int k = 0; k < SIDE; ++k) {
        kept[k] = 0.0f;
        if (top + k < rows && left + lane < cols) kept[k] = in[(top + k) * cols + left + lane];
    }
#pragma unroll
    for (int s = SIDE / 2; s > 0; s /= 2) {
        const bool is_upper = (place & s) != 0;
#pragma unroll
        for (int k = 0; k < SIDE; ++k) {
            if ((k & s) != 0) continue;
            const float got = __shfl_xor_sync(0xffffffffu, is_upper ? kept[k] : kept[k + s], s);
            if (is_upper) {
                kept[k] = got;
            } else {
                kept[k + s] = got;
            }
        }
    }
    const int y = left + lane / SIDE * SIDE, x = top + place;
#pragma unroll
    for (int k = 0; k < SIDE; ++k)
        if (x < rows && y + k < cols) out[(y + k) * rows + x] = kept[k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const dim3 grid((cols + 32 * WARPS - 1) / (32 * WARPS), (rows + SIDE - 1) / SIDE);
    turn_in_registers<<<grid, 32 * WARPS>>>(in, out, rows, cols);
}
