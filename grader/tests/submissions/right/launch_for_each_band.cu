// stage: transpose/open
// A loop of launches, one for each band of rows, with offset pointers and a different grid for the last.
#include <cuda_runtime.h>

__global__ void band(const float* in, float* out, int band_rows, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < band_rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (cols == 0) return;
    const int step = rows / 4 + 1;
    for (int first = 0; first < rows; first += step) {
        const int band_rows = rows - first < step ? rows - first : step;
        band<<<(band_rows * cols + 255) / 256, 256>>>(in + first * cols, out + first, band_rows, rows, cols);
    }
}
