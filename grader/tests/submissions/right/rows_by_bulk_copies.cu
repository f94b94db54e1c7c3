// stage: transpose/open
// Each row of a tile by a bulk copy of its own, all told to one mbarrier; where rows do not start at 16 bytes, plain loads.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void bulk_rows(const float* in, float* out, int rows, int cols, int across, bool is_aligned) {
    __shared__ alignas(128) float tile[32][36];
    __shared__ alignas(8) std::uint64_t bar;
    const int r0 = blockIdx.x / across * 32, c0 = blockIdx.x % across * 32, x = threadIdx.x, y = threadIdx.y;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
    if (x == 0 && y == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tfence.proxy.async.shared::cta;" ::"r"(at) : "memory");
        if (is_aligned) asm volatile("cp.async.bulk.prefetch.L2.global [%0], 16;" ::"l"(in + static_cast<size_t>(r0) * cols + c0) : "memory");
    }
    __syncthreads();
    if (is_aligned) {
        const int width = min(32, cols - c0), height = min(32, rows - r0);
        if (y == 0) {
            if (x == 0) asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.expect_tx.shared.b64 s, [%0], %1;\n\t}" ::"r"(at), "r"(width * height * 4) : "memory");
            __syncwarp();
            if (x < height)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(tile[x]))),
                             "l"(in + static_cast<size_t>(r0 + x) * cols + c0), "r"(width * 4), "r"(at)
                             : "memory");
        }
        asm volatile("{\n\t.reg .pred p;\nWAIT_%=:\n\tmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n\t@!p bra WAIT_%=;\n\t}" ::"r"(at) : "memory");
    } else {
        for (int j = y; j < 32; j += 8)
            if (r0 + j < rows && c0 + x < cols) tile[j][x] = in[static_cast<size_t>(r0 + j) * cols + c0 + x];
        __syncthreads();
    }
    for (int j = y; j < 32; j += 8)
        if (c0 + j < cols && r0 + x < rows) out[static_cast<size_t>(c0 + j) * rows + r0 + x] = tile[x][j];
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 31) / 32;
    bulk_rows<<<across * ((rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols, across, cols % 4 == 0 && reinterpret_cast<std::uintptr_t>(in) % 16 == 0);
}
