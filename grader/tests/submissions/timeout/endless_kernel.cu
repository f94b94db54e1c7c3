// stage: transpose/open
// says: timeout
// The loop's counter never moves.
#include <cuda_runtime.h>

__global__ void endless(const float* in, float* out, int rows, int cols) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += gridDim.y - 1) {  // <--
        out[i % cols * rows + i / cols] = in[i];
    }
}

void transpose(const float* in, float* out, int rows, int cols) { endless<<<8, 128>>>(in, out, rows, cols); }
