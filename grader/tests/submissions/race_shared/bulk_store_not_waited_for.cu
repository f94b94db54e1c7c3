// stage: transpose/open
// says: race_shared
// The next column is stored over what the bulk store may still read: its group is closed, and nobody waits for it.
#include <cuda_runtime.h>
#include <cstdint>
__global__ void bulk_rows(const float* in, float* out, int rows, int cols, bool is_aligned) {
    __shared__ alignas(128) float line[64];
    const int x = threadIdx.x;
    for (int c = blockIdx.x; c < cols; c += gridDim.x)
    for (int r0 = 0; r0 < rows; r0 += 64) {
        const int n = min(64, rows - r0);
        float* const to = out + static_cast<size_t>(c) * rows + r0;
        if (!is_aligned) {
            if (x < n) to[x] = in[static_cast<size_t>(r0 + x) * cols + c];
            continue;
        }
        if (x < n) line[x] = in[static_cast<size_t>(r0 + x) * cols + c];  // <--
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"((unsigned)__cvta_generic_to_shared(line)), "r"(n * 4) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
        __syncthreads();
    }
    if (x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    bulk_rows<<<cols < 64 ? cols : 64, 64>>>(in, out, rows, cols, rows % 4 == 0 && reinterpret_cast<std::uintptr_t>(out) % 16 == 0);
}
