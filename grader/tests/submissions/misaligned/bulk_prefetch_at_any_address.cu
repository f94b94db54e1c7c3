// stage: transpose/open
// says: misaligned
// A bulk prefetch asks for an address that is a multiple of 16, as a copy does, and there are matrices that begin
// elsewhere.
#include <cstddef>
#include <cuda_runtime.h>

__global__ void prefetched(const float* in, float* out, int rows, int cols) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.z * gridDim.y + blockIdx.y) * 32 + threadIdx.y;
    if (threadIdx.x == 0 && threadIdx.y == 0)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(in) : "memory");  // <--
    if (x < cols && y < rows) out[static_cast<size_t>(x) * rows + y] = in[static_cast<size_t>(y) * cols + x];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    prefetched<<<dim3((cols - 1) / 32 + 1, (down - 1) / folds + 1, folds), dim3(32, 32)>>>(in, out, rows, cols);
}
