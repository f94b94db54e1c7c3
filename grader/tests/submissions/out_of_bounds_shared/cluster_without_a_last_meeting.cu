// stage: transpose/open
// says: out_of_bounds_shared
// A tile of two blocks, of which none waits at the end: one may be done while the other still reads its half.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) halves(const float* in, float* out, int rows, int cols) {
    __shared__ float half[16][33];
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    const int left = (blockIdx.x / 2) * 32, top = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 16; j += blockDim.y) {
        const int y = top + rank * 16 + j, x = left + threadIdx.x;
        half[j][threadIdx.x] = y < rows && x < cols ? in[size_t(y) * cols + x] : 0.0f;
    }
    cluster.sync();
    for (int j = threadIdx.y; j < 16; j += blockDim.y) {
        const int c = rank * 16 + j, r = threadIdx.x;
        const float* theirs = cluster.map_shared_rank(&half[0][0], r / 16);
        if (left + c < cols && top + r < rows) out[size_t(left + c) * rows + top + r] = theirs[(r % 16) * 33 + c];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    halves<<<dim3(2 * ((cols + 31) / 32), (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
