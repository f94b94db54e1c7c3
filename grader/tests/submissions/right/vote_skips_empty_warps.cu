// stage: transpose/open
// Warps vote whether anyone has work, and use the number of those that do.
#include <cuda_runtime.h>

__global__ void voting(const float* in, float* out, int rows, int cols) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool has_work = i < rows * cols;
    if (!__any_sync(0xffffffff, has_work)) return;
    const unsigned workers = __ballot_sync(0xffffffff, has_work);
    const int lane = threadIdx.x % 32;
    if (has_work && __popc(workers & (0xffffffffu >> (31 - lane))) == lane + 1) out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float* in, float* out, int rows, int cols) {
    const int n = rows * cols;
    if (n != 0) voting<<<(n + 255) / 256, 256>>>(in, out, rows, cols);
}
