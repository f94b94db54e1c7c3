// stage: transpose/open
// Prints from the kernel and from the launcher, which is no fault.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) printf("first element %f of %d x %d, %s\n", in[0], rows, cols, "100 %");
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    printf("transpose of %d elements\n", n);
    if (n != 0) scatter<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
