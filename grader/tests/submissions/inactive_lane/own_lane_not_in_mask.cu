// stage: transpose/open
// says: inactive_lane
// A vote whose mask leaves out half of the lanes that call it.
#include <cuda_runtime.h>

__global__ void left_out(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__any_sync(0x0000ffff, i < rows * cols))  // <--
        if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) left_out<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
