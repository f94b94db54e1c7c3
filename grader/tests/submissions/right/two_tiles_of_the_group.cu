// stage: transpose/open
// cg::memcpy_async by the block, row by row, two tiles in turn: wait_prior leaves the newer one under way.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace cg = cooperative_groups;
constexpr int SIDE = 32;

__global__ void prior(const float* in, float* out, int rows, int cols) {
    __shared__ float tiles[2][SIDE][SIDE];
    const auto block = cg::this_thread_block();
    const auto half = cg::tiled_partition<16>(block);
    const int across = (cols + SIDE - 1) / SIDE, count = across * ((rows + SIDE - 1) / SIDE);
    const auto fetch = [&](int t, int to) {
        const int left = t % across * SIDE, top = t / across * SIDE;
        for (int r = half.meta_group_rank(); r < SIDE; r += half.meta_group_size()) {
            // Every group copies two rows, as many as there are: an empty copy is a copy as well.
            const int width = t < count && top + r < rows ? min(SIDE, cols - left) : 0;
            cg::memcpy_async(half, tiles[to][r], in + (width > 0 ? size_t(top + r) * cols + left : 0), sizeof(float) * width);
        }
    };
    int now = 0;
    fetch(blockIdx.x, 0);
    for (int t = blockIdx.x; t < count; t += gridDim.x, now ^= 1) {
        fetch(t + gridDim.x, now ^ 1);
        cg::wait_prior<2>(half);
        block.sync();
        const int left = t % across * SIDE, top = t / across * SIDE;
        for (int k = block.thread_rank(); k < SIDE * SIDE; k += block.num_threads()) {
            const int r = k % SIDE, c = k / SIDE;
            if (left + c < cols && top + r < rows) out[size_t(left + c) * rows + top + r] = tiles[now][r][c];
        }
        block.sync();
    }
    cg::wait(half);
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows > 0 && cols > 0) prior<<<40, 256>>>(in, out, rows, cols);
}
