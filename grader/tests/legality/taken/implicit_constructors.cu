// What the compiler writes itself belongs to both sides.
#include <cuda_runtime.h>

struct Inner {
    int value = 0;
    float pair[2] = {};
};
struct Place {
    Inner inner;
    int row = 0, col = 0;
};

__global__ void copy_turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    Place place;
    place.row = y;
    place.col = x;
    const Place copy = place;
    out[x * rows + y + copy.inner.value] = in[copy.row * cols + copy.col];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
    copy_turned<<<grid, block>>>(in, out, rows, cols);
}
