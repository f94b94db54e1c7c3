// stage: transpose/open
// A cluster of two blocks: each loads half of the tile, and writes what lies in the other's shared memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) halves(const float* in, float* out, int rows, int cols) {
    __shared__ float half[16][33];
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    const int left = (blockIdx.x / 2) * 32;
    for (int top = blockIdx.y * 32; top < rows; top += gridDim.y * 32) {
        for (int j = threadIdx.y; j < 16; j += blockDim.y) {
            const int y = top + rank * 16 + j, x = left + threadIdx.x;
            half[j][threadIdx.x] = y < rows && x < cols ? in[size_t(y) * cols + x] : 0.0f;
        }
        cluster.sync();
        // Half of the columns each; a lane's row may be in the other block.
        for (int j = threadIdx.y; j < 16; j += blockDim.y) {
            const int c = rank * 16 + j, r = threadIdx.x;
            const float* theirs = cluster.map_shared_rank(&half[0][0], r / 16);
            if (left + c < cols && top + r < rows) out[size_t(left + c) * rows + top + r] = theirs[(r % 16) * 33 + c];
        }
        cluster.sync();
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const unsigned down = (rows + 31) / 32;
    halves<<<dim3(2 * ((cols + 31) / 32), down < 65535 ? down : 65535), dim3(32, 8)>>>(in, out, rows, cols);
}
