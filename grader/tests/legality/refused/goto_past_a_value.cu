// A goto past the line that gives a variable its first value. A case of a switch may do the same.
#include <cuda_runtime.h>

__global__ void turned(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= cols) goto done;  // refused
    const float value = in[y * cols + x];
    out[x * rows + y] = value;
done:
    return;
}

void transpose(const float* in, float* out, int rows, int cols) {
    turned<<<dim3((cols + 255) / 256, rows), 256>>>(in, out, rows, cols);
}
