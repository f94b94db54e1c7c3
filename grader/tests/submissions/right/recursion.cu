// stage: transpose/open
// The cache-oblivious transpose: a recursive device function that halves the longer side.
#include <cuda_runtime.h>

__device__ __noinline__ void halve(const float* in, float* out, int rows, int cols, int y0, int y1, int x0, int x1) {
    if (y1 - y0 <= 2 && x1 - x0 <= 2) {
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) out[x * rows + y] = in[y * cols + x];
    } else if (y1 - y0 >= x1 - x0) {
        const int middle = (y0 + y1) / 2;
        halve(in, out, rows, cols, y0, middle, x0, x1);
        halve(in, out, rows, cols, middle, y1, x0, x1);
    } else {
        const int middle = (x0 + x1) / 2;
        halve(in, out, rows, cols, y0, y1, x0, middle);
        halve(in, out, rows, cols, y0, y1, middle, x1);
    }
}

__global__ void recursive(const float* in, float* out, int rows, int cols) {
    constexpr int cell = 4;
    const int across = (cols + cell - 1) / cell, down = (rows + cell - 1) / cell;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= across * down) return;
    const int y = i / across * cell, x = i % across * cell;
    halve(in, out, rows, cols, y, min(y + cell, rows), x, min(x + cell, cols));
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int cells = ((rows + 3) / 4) * ((cols + 3) / 4);
    if (cells != 0) recursive<<<(cells + 127) / 128, 128>>>(in, out, rows, cols);
}
