// stage: transpose/open
// A group of eight lanes turns 8 x 8 elements held one row a lane, in three exchanges by __shfl_xor_sync of width 8.
#include <cuda_runtime.h>

template <int BIT>
__device__ __forceinline__ void exchange(float (&r)[8], int lane) {
    const bool upper = lane & BIT;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        if (i & BIT) continue;
        const float send = upper ? r[i] : r[i | BIT];
        const float got = __shfl_xor_sync(0xffffffffu, send, BIT, 8);
        if (upper)
            r[i] = got;
        else
            r[i | BIT] = got;
    }
}

__global__ void __launch_bounds__(256) groups_of_eight(const float* __restrict__ in, float* __restrict__ out, int rows, int cols, long long pieces, int across) {
    const int lane = threadIdx.x & 7;
    for (long long first = blockIdx.x * 32LL; first < pieces; first += gridDim.x * 32LL) {
        const long long piece = first + (threadIdx.x >> 3);
        const int r0 = static_cast<int>(piece / across) * 8, c0 = static_cast<int>(piece % across) * 8;
        const int row = r0 + lane;
        float r[8];
#pragma unroll
        for (int i = 0; i < 8; ++i) r[i] = piece < pieces && row < rows && c0 + i < cols ? in[static_cast<long long>(row) * cols + c0 + i] : 0.0f;
        exchange<4>(r, lane);
        exchange<2>(r, lane);
        exchange<1>(r, lane);
        const int column = c0 + lane;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            if (piece < pieces && column < cols && r0 + i < rows) out[static_cast<long long>(column) * rows + r0 + i] = r[i];
    }
}

void transpose(const float* in, float* out, int rows, int cols) {
    if (rows == 0 || cols == 0) return;
    const int across = (cols + 7) / 8;
    const long long pieces = static_cast<long long>(across) * ((rows + 7) / 8);
    const long long blocks = (pieces + 31) / 32;
    groups_of_eight<<<blocks < 2112 ? static_cast<int>(blocks) : 2112, 256>>>(in, out, rows, cols, pieces, across);
}
