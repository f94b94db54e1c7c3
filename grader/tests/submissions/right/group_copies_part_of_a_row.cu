// stage: transpose/padding
// A tile of threads copies what a row has of it by memcpy_async: at the edge several lanes copy the same element.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

// A grid has 65535 blocks at most in y: more fold into z.
static dim3 folded(int across, int down) {
    const int folds = (down - 1) / 65535 + 1;
    return dim3(across, (down - 1) / folds + 1, folds);
}
__device__ int block_row() { return blockIdx.z * gridDim.y + blockIdx.y; }
namespace cg = cooperative_groups;
constexpr int kTile = 32;

__global__ void __launch_bounds__(256) turn(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {
    __shared__ float tile[kTile][kTile + 1];
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const int left = blockIdx.x * kTile, top = block_row() * kTile;
    for (int r = warp.meta_group_rank(); r < kTile; r += warp.meta_group_size()) {
        const int y = top + r;
        if (y >= rows) break;
        const int width = min(kTile, cols - left);
        cg::memcpy_async(warp, tile[r], in + size_t(y) * cols + left, sizeof(float) * width);
    }
    cg::wait(warp);
    block.sync();
    for (int c = warp.meta_group_rank(); c < kTile; c += warp.meta_group_size()) {
        const int x = left + c, y = top + warp.thread_rank();
        if (x < cols && y < rows) __stcs(&out[size_t(x) * rows + y], tile[warp.thread_rank()][c]);
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (!rows || !cols) return;
    turn<<<folded((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile), 256>>>(in, out, rows, cols);
}
