// stage: transpose/open
// says: misaligned
// A bulk store takes its bytes from an address in shared memory that is a multiple of 16; these begin a word later.
#include <cstddef>
#include <cuda_runtime.h>

__global__ void element(const float* in, float* out, int rows, int cols) {
    __shared__ alignas(128) float words[8];
    const int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.z * gridDim.y + blockIdx.y) * 32 + threadIdx.y;
    const bool is_first = x == 0 && y == 0;
    if (is_first && rows >= 4 && reinterpret_cast<size_t>(out) % 16 == 0) {
        for (int i = 0; i < 4; ++i) words[1 + i] = in[static_cast<size_t>(i) * cols];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(words + 1));
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(out), "r"(from) : "memory");  // <--
        asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
    } else if (x < cols && y < rows && !(x == 0 && y < 4 && rows >= 4 && reinterpret_cast<size_t>(out) % 16 == 0)) {
        out[static_cast<size_t>(x) * rows + y] = in[static_cast<size_t>(y) * cols + x];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows - 1) / 32 + 1, folds = (down - 1) / 65535 + 1;
    element<<<dim3((cols - 1) / 32 + 1, (down - 1) / folds + 1, folds), dim3(32, 32)>>>(in, out, rows, cols);
}
