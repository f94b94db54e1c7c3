#include <cuda_runtime.h>

template <typename V, int W>
struct WarpScan {
    static __device__ V inclusive(V x) {
        const int l = threadIdx.x & 31;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            V y = __shfl_up_sync(~0u, x, d, W);
            if (l >= d) x += y;
        }
        return x;
    }
};
using Scan = WarpScan<unsigned, 16>;

__global__ void tile_scan(const unsigned* src, int len, unsigned* dst, unsigned* agg) {
    __shared__ unsigned w[32];
    const int t = threadIdx.x, g = blockIdx.x * 1024 + t;
    unsigned x = Scan::inclusive(g < len ? src[g] : 0u);
    if ((t & 31) == 31) w[t >> 5] = x;
    __syncthreads();
    if (t < 32) w[t] = Scan::inclusive(w[t]);
    __syncthreads();
    if (t >= 32) x += w[(t >> 5) - 1];
    if (g < len) dst[g] = x;
    if (t == 1023) agg[blockIdx.x] = x;
}

__global__ void spread(unsigned* dst, const unsigned* agg, int len) {
    const int g = (blockIdx.x + 1) * 1024 + threadIdx.x;
    if (g < len) dst[g] += agg[blockIdx.x];
}

void scan(const unsigned* in, unsigned* out, unsigned* scratch, int n) {
    if (n == 0) return;
    const int nb = (n + 1023) >> 10, ng = (nb + 1023) >> 10;
    tile_scan<<<nb, 1024>>>(in, n, out, scratch);
    if (nb < 2) return;
    tile_scan<<<ng, 1024>>>(scratch, nb, scratch, scratch + nb);
    if (ng > 1) {
        tile_scan<<<1, 1024>>>(scratch + nb, ng, scratch + nb, scratch + nb + ng);
        spread<<<ng - 1, 1024>>>(scratch, scratch + nb, nb);
    }
    spread<<<nb - 1, 1024>>>(out, scratch, n);
}
