// stage: transpose/open
// says: wrong_output
// Elements pass through half precision and lose most of their bits.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void rounded(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * cols) out[i % cols * rows + i / cols] = __half2float(__float2half(in[i]));  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) rounded<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
