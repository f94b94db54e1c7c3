// stage: transpose/open
// says: write_to_input
// The arguments of the memset are those of the input.
#include <cuda_runtime.h>

__global__ void scatter(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n == 0) return;
    scatter<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
    cudaMemset(const_cast<float*>(in), 0, n * sizeof(float));  // <--
}
