// A case of a switch past the line that gives a variable its first value: nvcc warns.
#include <cuda_runtime.h>

__global__ void turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    switch (x >= cols) {
        case 0:
            const float value = in[y * cols + x];
            out[x * rows + y] = value;
        default: return;
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    turned<<<dim3((cols + 255) / 256, rows), 256>>>(in, out, rows, cols);
}
