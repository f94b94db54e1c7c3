// No shared memory: a thread reads EACH elements below each other and writes them side by side, as a vector with VECTOR.
#include <cuda_runtime.h>

#include <cstddef>

#ifndef EACH
#define EACH 4
#endif
#ifndef VECTOR
#define VECTOR 0
#endif
#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif

__global__ void __launch_bounds__(BLOCK_X* BLOCK_Y) by_registers(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * BLOCK_X + threadIdx.x;
    const int y = ((blockIdx.z * gridDim.y + blockIdx.y) * BLOCK_Y + threadIdx.y) * EACH;
    if (x >= cols || y >= rows) return;
    float kept[EACH];
    for (int k = 0; k < EACH; ++k) kept[k] = y + k < rows ? in[static_cast<std::size_t>(y + k) * cols + x] : 0.0f;
    float* const to = out + static_cast<std::size_t>(x) * rows + y;
#if VECTOR
    if (rows % 4 == 0) {
        for (int k = 0; k < EACH; k += 4)
            if (y + k < rows) *reinterpret_cast<float4*>(to + k) = make_float4(kept[k], kept[k + 1], kept[k + 2], kept[k + 3]);
        return;
    }
#endif
    for (int k = 0; k < EACH; ++k)
        if (y + k < rows) to[k] = kept[k];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols - 1) / BLOCK_X + 1, down = (rows - 1) / (BLOCK_Y * EACH) + 1, folds = (down - 1) / 65535 + 1;
    by_registers<<<dim3(across, (down - 1) / folds + 1, folds), dim3(BLOCK_X, BLOCK_Y)>>>(in, out, rows, cols);
}
