// stage: transpose/open
// Two tiles in turn by cp.async, the last one waited for alone.
#include <cuda_runtime.h>
constexpr int kTile = 32;
__device__ __forceinline__ void copy4(float* to, const float* from, bool there) {
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = there ? 4 : 0;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(bytes) : "memory");
}
__global__ void turn(const float* in, float* out, int rows, int cols, int tiles_down) {
    __shared__ float tile[2][kTile][kTile + 1];
    const int x = blockIdx.x * kTile + threadIdx.x;
    auto fetch = [&](int t, int s) {
        for (int j = threadIdx.y; j < kTile; j += blockDim.y) {
            const int y = t * kTile + j;
            const bool there = x < cols && y < rows;
            copy4(&tile[s][j][threadIdx.x], in + (there ? size_t(y) * cols + x : 0), there);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    int s = 0, t = blockIdx.y;
    if (t < tiles_down) fetch(t, 0);
    for (; t < tiles_down; t += gridDim.y, s ^= 1) {
        const int next = t + gridDim.y;
        if (next < tiles_down) {
            fetch(next, s ^ 1);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        for (int j = threadIdx.y; j < kTile; j += blockDim.y) {
            const int oy = blockIdx.x * kTile + j, ox = t * kTile + threadIdx.x;
            if (oy < cols && ox < rows) out[size_t(oy) * rows + ox] = tile[s][threadIdx.x][j];
        }
        __syncthreads();
    }
}
void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int down = (rows + kTile - 1) / kTile, across = (cols + kTile - 1) / kTile;
    turn<<<dim3(across, down < 4 ? down : (down + 3) / 4 > 65535 ? 65535 : (down + 3) / 4), dim3(32, 8)>>>(in, out, rows, cols, down);
}
