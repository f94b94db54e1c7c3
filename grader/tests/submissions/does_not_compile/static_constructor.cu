// stage: transpose/open
// says: compiler
// Something that is to run before the launcher is called.
#include <cuda_runtime.h>

struct Early { Early() { n = 3; } int n; };
Early early;  // <--

__global__ void k(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n == 0) return;
    k<<<(n + 255) / 256, 256>>>(in, out, rows, early.n ? cols : 0);
}
