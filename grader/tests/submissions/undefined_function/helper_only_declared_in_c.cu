// stage: transpose/open
// says: undefined_function
// A name as C has it is no library's for that.
#include <cuda_runtime.h>

extern "C" __device__ float helper(float);
__global__ void k(const float* in, float* out, int rows, int cols) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = helper(in[i]);
}
void transpose(const float* in, float* out, int rows, int cols) {
    int n = rows * cols;
    if (n) k<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
