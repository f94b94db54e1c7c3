// stage: transpose/open
// says: write_to_input
// The launcher hands its two pointers over in the wrong order. A grader that read the answer through the submission's
// own idea of what is in and what is out would not notice.
#include <cuda_runtime.h>

__global__ void naive(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = blockIdx.y * 32 + threadIdx.y; y < rows; y += gridDim.y * 32)
        if (x < cols) out[static_cast<long long>(x) * rows + y] = in[static_cast<long long>(y) * cols + x];  // <--
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows + 31) / 32;
    naive<<<dim3((cols + 31) / 32, down < 65535 ? down : 65535), dim3(32, 32)>>>(out, const_cast<float*>(in), rows, cols);
}
