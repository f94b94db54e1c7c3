// stage: transpose/open
// says: inactive_lane
// A vote of lanes of which each names another one: a mask is made for others, and leaves out the lane that calls.
#include <cuda_runtime.h>

__global__ void next(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool is_inside = i < rows * cols;
    if (__ballot_sync(1u << (lane + 1) % 32, is_inside) == 0 && !is_inside) return;  // <--
    if (is_inside) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) next<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
