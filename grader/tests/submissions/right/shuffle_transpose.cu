// stage: transpose/open
// A warp turns 32 x 32 elements in its registers, by shuffles: no shared memory at all.
#include <cuda_runtime.h>

__global__ void in_registers(const float* in, float* out, int rows, int cols) {
    const int across = (cols + 31) / 32, lane = threadIdx.x;
    const int left = blockIdx.x % across * 32, top = blockIdx.x / across * 32;
    float row[32];
#pragma unroll
    for (int j = 0; j < 32; ++j)
        row[j] = top + j < rows && left + lane < cols ? in[(top + j) * cols + left + lane] : 0.0f;
    // Step s exchanges the off-diagonal s x s blocks of every 2s x 2s block.
#pragma unroll
    for (int s = 16; s >= 1; s /= 2) {
#pragma unroll
        for (int j = 0; j < 32; ++j) {
            if (j & s) continue;
            const float give = lane & s ? row[j] : row[j + s];
            const float got = __shfl_xor_sync(0xffffffff, give, s);
            if (lane & s)
                row[j] = got;
            else
                row[j + s] = got;
        }
    }
#pragma unroll
    for (int j = 0; j < 32; ++j)
        if (left + j < cols && top + lane < rows) out[(left + j) * rows + top + lane] = row[j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
    if (tiles != 0) in_registers<<<tiles, 32>>>(in, out, rows, cols);
}
