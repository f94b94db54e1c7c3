// stage: transpose/open
// says: inactive_lane
// Each half of a warp names the other one: the lanes that it names wait for others, or have ended.
#include <cuda_runtime.h>

__global__ void swapped(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const float mine = i < rows * cols ? in[i] : 0;
    const float first = __shfl_sync(lane < 16 ? 0xffff0000u : 0x0000ffffu, mine, 0);  // <--
    if (i < rows * cols) out[i % cols * rows + i / cols] = lane == 0 ? first : mine;
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) swapped<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
